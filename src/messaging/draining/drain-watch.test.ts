import { beforeEach, describe, expect, it } from '@jest/globals';
import { listeningLogger, type LogLine } from '../../testing/listening-logger.js';
import { brokerUnavailable } from '../deadline.js';
import { Topic } from '../topic.js';
import { DrainWatch } from './drain-watch.js';

let left: number | Error;
let missing: string[];
let lines: LogLine[];
let watch: DrainWatch;

beforeEach(() => {
  left = 0;
  missing = [];
  lines = [];
  const broker = {
    lag: () => (left instanceof Error ? Promise.reject(left) : Promise.resolve(new Map([[Topic.BuildIndex, left]]))),
    get missing() {
      return missing;
    },
  };
  watch = new DrainWatch(broker, listeningLogger(lines));
});

/** What is logged of some looks in a row. */
async function toldOf(...looks: (number | Error)[]): Promise<string[]> {
  const from = lines.length;
  for (left of looks) await watch.runOnce();
  return lines.slice(from).map(({ level, message }) => `${level}: ${message}`);
}

describe('watching a broker that is drained', () => {
  it('tells once that messages are left, and once that none is', async () => {
    expect(await toldOf(40, 12)).toEqual(['info: messages are left in a drained broker']);
    expect(watch.health()).toEqual({ up: true, detail: 'messages that are left: 12' });
    expect(await toldOf(0)).toEqual([]);
    expect(await toldOf(0, 0)).toEqual(['info: a drained broker is empty']);
    expect(watch.health()).toEqual({ up: true, detail: 'nothing is left' });
  });

  it('does not take it for empty between two messages, and tells when somebody still sends', async () => {
    expect(await toldOf(1, 0, 1, 0, 1)).toHaveLength(1);
    expect(await toldOf(0, 0)).toEqual(['info: a drained broker is empty']);
    expect(await toldOf(3, 0, 0)).toEqual([
      'info: messages are left in a drained broker',
      'info: a drained broker is empty',
    ]);
  });

  it('tells once that it does not answer, and that it is back', async () => {
    const away = brokerUnavailable('Redis did not tell how much waits.');
    expect(await toldOf(away, away)).toEqual([expect.stringMatching(/^warn: a drained broker does not answer/)]);
    expect(watch.health()).toEqual({ up: false, detail: 'Redis did not tell how much waits.' });
    expect(await toldOf(0)).toEqual(['info: a drained broker is back']);
    expect(watch.health()).toEqual({ up: true, detail: 'nothing is left' });
  });

  it('names what is not there', async () => {
    missing = ['dev-document-parse', 'dev-dead-letter'];
    expect(await toldOf(2, 2)).toContainEqual(expect.stringMatching(/^info: topics of a drained broker are not there/));
    expect(lines).toContainEqual(
      expect.objectContaining({ fields: { missing: 'dev-document-parse, dev-dead-letter' } }),
    );
    expect(lines).toHaveLength(2);
  });
});
