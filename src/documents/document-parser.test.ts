import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ParseConfig } from '../config/app-config.js';
import { silentLogger } from '../logging/logger.js';
import { testReadLimits } from '../testing/read-bytes.js';
import { DocumentParser } from './document-parser.js';

const parsers: DocumentParser[] = [];

function newParser({ slots = 1, ...config }: Partial<ParseConfig> & { slots?: number } = {}): DocumentParser {
  const { depth, entries, inflateRatio, pages, textChars } = testReadLimits;
  const limits = { depth, entries, inflateRatio, inflatedMb: 256, pages, textChars };
  const times = { timeoutMs: 30_000, cpuMs: 30_000, memoryMb: 512 };
  const parser = new DocumentParser({ ...limits, ...times, ...config }, slots, silentLogger);
  parsers.push(parser);
  return parser;
}

/** Children of this process that read sources. */
function children(): number[] {
  const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return found
    .split('\n')
    .filter((line) => line.includes('parse-process'))
    .map((line) => parseInt(line, 10));
}

async function markdown(content: string): Promise<{ path: string; textPath: string; fileName: string }> {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  return { path, textPath: `${path}.text`, fileName: 'a.md' };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-parser-'));
});
afterAll(() => rm(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(parsers.splice(0).map((parser) => parser.stop()));
});

describe('DocumentParser', () => {
  it('reads a source in a child process that is there from the first one on', async () => {
    const parser = newParser();
    expect(children()).toEqual([]);
    expect(await parser.parse(await markdown('# 标题\n\n这是内容。'))).toMatchObject({
      text: '# 标题\n\n这是内容。',
      blocks: [
        { type: 'heading', depth: 1, charStart: 0, charEnd: 4 },
        { type: 'paragraph', charStart: 6, charEnd: 11 },
      ],
      encoding: 'utf-8',
      language: 'zh',
    });
    expect(children()).toHaveLength(1);
  });

  it('passes on why a source cannot be read', async () => {
    const parser = newParser();
    await expect(parser.parse({ ...(await markdown('GIF87a')), fileName: 'a.pdf' })).rejects.toMatchObject({
      name: 'AppError',
      code: 'UNSUPPORTED_TYPE',
    });
    await expect(parser.parse(await markdown(' '))).rejects.toMatchObject({ code: 'EMPTY' });
    await expect(parser.parse({ ...(await markdown('x')), encoding: 'klingon' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('reads a large source whole', async () => {
    const unit = '## Section\n\nA paragraph of some words, 和一些字。\n\n- item\n- item\n\n';
    const { text, blocks } = await newParser().parse(await markdown(unit.repeat(40_000)));
    expect(text).toHaveLength(unit.length * 40_000);
    expect(blocks).toHaveLength(160_000);
    expect(blocks.at(-1)).toEqual({
      type: 'listItem',
      depth: 1,
      charStart: unit.length * 40_000 - 8,
      charEnd: unit.length * 40_000 - 2,
    });
  });

  it('gives up on a source that takes too long, and reads the next one', async () => {
    const parser = newParser({ timeoutMs: 5_000 });
    await parser.parse(await markdown('warm'));
    const [slow] = children();
    process.kill(slow ?? 0, 'SIGSTOP');
    await expect(parser.parse(await markdown('x'))).rejects.toMatchObject({ code: 'PARSER_TIMEOUT' });
    expect((await parser.parse(await markdown('next'))).text).toBe('next');
  });

  it('gives up on a source that takes too much memory, and reads the next one', async () => {
    const parser = newParser({ memoryMb: 64, timeoutMs: 100_000, cpuMs: 100_000 });
    const hungry = await markdown(`{"a": [${'[1],'.repeat(2_000_000)}[1]]}`);
    await expect(parser.parse({ ...hungry, fileName: 'a.json' })).rejects.toMatchObject({ code: 'PARSER_MEMORY' });
    expect((await parser.parse(await markdown('next'))).text).toBe('next');
  }, 120_000);

  it('gives up on a source that takes too much processor time, and reads the next one', async () => {
    const parser = newParser({ cpuMs: 2_000 });
    const long = await markdown('1,2,3\n'.repeat(3_000_000));
    await expect(parser.parse({ ...long, fileName: 'a.csv' })).rejects.toMatchObject({
      code: 'PARSER_TIMEOUT',
      message: expect.stringContaining('2000 ms of processor time'),
    });
    expect((await parser.parse(await markdown('next'))).text).toBe('next');
  });

  it('tries a second child when the first is killed from outside', async () => {
    const parser = newParser();
    await parser.parse(await markdown('warm'));
    const [first] = children();
    process.kill(first ?? 0, 'SIGSTOP');
    const parsed = parser.parse(await markdown('survives'));
    process.kill(first ?? 0, 'SIGKILL');
    expect((await parsed).text).toBe('survives');
  });

  it('stops at once when the caller does, with the caller’s reason', async () => {
    const parser = newParser();
    await parser.parse(await markdown('warm'));
    process.kill(children()[0] ?? 0, 'SIGSTOP');
    const caller = new AbortController();
    const parsed = parser.parse(await markdown('x'), caller.signal);
    caller.abort(new Error('no longer wanted'));
    await expect(parsed).rejects.toThrow('no longer wanted');
  });

  it('lets work be taken up elsewhere when it is stopped, and leaves no child', async () => {
    const parser = newParser();
    await parser.parse(await markdown('warm'));
    process.kill(children()[0] ?? 0, 'SIGSTOP');
    const parsed = parser.parse(await markdown('x'));
    const outcome = expect(parsed).rejects.toMatchObject({ code: 'WORKER_LOST', retryable: true });
    await parser.stop();
    await outcome;
    expect(children()).toEqual([]);
    await expect(parser.parse(await markdown('y'))).rejects.toMatchObject({ code: 'WORKER_LOST' });
    await parser.stop();
  });
});
