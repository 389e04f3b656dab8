import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, at, type Fields } from '../api-client.js';
import { ServiceProcess } from '../service-process.js';

const sample = (name: string) => readFileSync(new URL(`../../../docs/samples/${name}`, import.meta.url), 'utf8');
const dataDir = mkdtempSync(join(tmpdir(), 'indexwright-embedded-'));
const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn' };

let service: ServiceProcess;
let api: ApiClient;

beforeAll(async () => {
  service = await ServiceProcess.start(env);
  api = new ApiClient(service.baseUrl);
}, 90_000);

afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function built(fileName: string, text: string): Promise<{ documentId: string; task: Fields }> {
  const { documentId, planId } = await api.confirmed(fileName, text);
  const answer = await api.build(documentId, planId);
  expect(answer.status).toBe(202);
  const task = await api.ended(at(answer.body, 'taskId'));
  expect(at(task, 'taskStatus.name')).toBe('SUCCESS');
  return { documentId, task };
}

async function firstHit(query: string, mode: string): Promise<Fields> {
  const { body } = await api.post('/search', { query, mode, topK: 3, withParent: true });
  return at<Fields>(body, 'hits.0');
}

describe('the service on embedded defaults', () => {
  it('finds a planted sentence first, in every mode', async () => {
    await built('handbook.md', sample('handbook.md'));
    for (const mode of ['HYBRID', 'VECTOR', 'TEXT']) {
      const hit = await firstHit('When must the night watch close the lower sluice by hand?', mode);
      expect(at<string>(hit, 'text')).toContain('amber heron');
      expect(at<string>(hit, 'parent.text')).toContain(at<string>(hit, 'text').trim().slice(0, 40));
    }
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
    const counted = 'indexwright_task_attempts_total{type="BUILD_INDEX",outcome="completed",code=""} 1';
    expect(metrics.split('\n')).toContain(counted);
  }, 60_000);

  it('cuts Chinese by code points and finds it by its words', async () => {
    const { documentId } = await built('night-watch.zh.md', sample('night-watch.zh.md'));
    const hit = await firstHit('琥珀苍鹭标记', 'HYBRID');
    expect(at<string>(hit, 'text')).toContain('琥珀苍鹭标记');
    const { body } = await api.get(`/documents/${documentId}/text`);
    const points = Array.from(at<string>(body, 'text'));
    for (const chunk of await api.all(`/documents/${documentId}/chunks?level=CHILD`)) {
      const { charStart, charEnd, text } = chunk as { charStart: number; charEnd: number; text: string };
      expect(points.slice(charStart, charEnd).join('')).toBe(text);
    }
  }, 60_000);

  it('accepts one of two simultaneous builds of a document', async () => {
    const { documentId, planId } = await api.confirmed('twice.md', '# Twice\n\nOne of two.\n');
    const answers = await Promise.all([api.build(documentId, planId), api.build(documentId, planId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    await Promise.all(answers.filter(({ status }) => status === 202).map(({ body }) => api.ended(at(body, 'taskId'))));
  }, 60_000);

  it('says in one sentence that the data folder is in use', async () => {
    const second = ServiceProcess.launch(env);
    expect(await second.ended()).toBe(2);
    expect(second.text.trim().split('\n')).toEqual([expect.stringContaining(dataDir)]);
  }, 60_000);

  it('says in one sentence that the port is taken', async () => {
    const otherDir = mkdtempSync(join(tmpdir(), 'indexwright-port-'));
    const port = new URL(service.baseUrl).port;
    const second = ServiceProcess.launch({ ...env, DATA_DIR: otherDir, PORT: port });
    expect(await second.ended()).toBe(2);
    expect(second.text.trim().split('\n')).toEqual([expect.stringContaining(port)]);
    rmSync(otherDir, { recursive: true, force: true });
  }, 60_000);

  it('serves what was built after a clean stop, and after a kill', async () => {
    expect(await service.stop()).toBe(0);
    service = await ServiceProcess.start(env);
    api = new ApiClient(service.baseUrl);
    expect(at(await firstHit('amber heron', 'TEXT'), 'text')).toContain('amber heron');
    service.signal('SIGKILL');
    await service.ended();
    service = await ServiceProcess.start(env);
    api = new ApiClient(service.baseUrl);
    expect(at(await firstHit('amber heron', 'TEXT'), 'text')).toContain('amber heron');
  }, 120_000);
});
