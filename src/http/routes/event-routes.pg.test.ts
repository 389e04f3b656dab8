import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventClient } from '../../testing/event-client.js';
import { plantDocument, type PlantedDocument } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { TaskEventView } from '../views/task-event-view.js';

const mostStreams = 3;

let api: HttpApi;
let planted: PlantedDocument;
let taskId: string;

beforeAll(async () => {
  api = await startHttpApi({ mostStreams });
});
afterAll(() => api.stop());
beforeEach(async () => {
  planted = await plantDocument(api.test.database);
  taskId = await accepted(planted);
});

async function accepted({ documentId, planId }: PlantedDocument, on = api): Promise<string> {
  const { body } = await on.server.post('/index/build', JSON.stringify({ documentId, planId }));
  return String(body.taskId);
}

const cancel = (id = taskId) => api.server.post(`/tasks/${id}/cancel`, '{}');
const follow = (path = `/tasks/${taskId}/events`, lastEventId?: string) =>
  EventClient.open(api.server.url + path, lastEventId);
const types = (events: readonly { data: Record<string, unknown> }[]) => events.map(({ data }) => data.eventType);

describe('the events of a task', () => {
  it('are its log as it grows, and end with the final one', async () => {
    const client = await follow();
    const first = await client.next();
    expect(first).toMatchObject({ data: { eventType: 'START', taskId, documentId: planted.documentId } });
    expect(shapeFaults(TaskEventView, first?.data, api.server.limits)).toEqual([]);
    await cancel();
    expect(types(await client.all())).toEqual(['CANCELLED']);
    const { status, headers } = client.answer;
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-cache, no-transform',
    ]);
  });

  it('go on after the last one that was seen, and are over for whoever has all', async () => {
    const client = await follow();
    const first = await client.next();
    client.close();
    await cancel();
    const [last, ...more] = await (await follow(undefined, first?.id)).all();
    expect([last?.data.eventType, more]).toEqual(['CANCELLED', []]);
    const again = await api.server.get(`/tasks/${taskId}/events`, { 'last-event-id': last?.id ?? '' });
    expect([again.status, again.text]).toEqual([204, '']);
  });

  it('begin anew after a reset for an id that is no line of the task', async () => {
    await cancel();
    const other = await follow(`/tasks/${await accepted(await plantDocument(api.test.database))}/events`);
    const foreign = (await other.next())?.id ?? '';
    other.close();
    for (const id of [foreign, 'garbage', '-1', '9223372036854775808', "'; --"]) {
      const [reset, ...log] = await (await follow(undefined, id)).all();
      expect(reset).toEqual({ event: 'reset', data: { reason: 'UNKNOWN_EVENT_ID' } });
      expect(types(log)).toEqual(['START', 'CANCELLED']);
    }
  });

  it('tell how far it is to whoever asks, without an id', async () => {
    const client = await follow(`/tasks/${taskId}/events?progress=true`);
    const snapshot = await client.next();
    expect(snapshot).toMatchObject({ event: 'progress', data: { taskId, percent: 0, taskStatus: { name: 'NEW' } } });
    expect(snapshot).not.toHaveProperty('id');
    expect((await client.next())?.data.eventType).toBe('START');
    await cancel();
    const [last, end, ...more] = await client.all();
    expect([last?.data.taskStatus, end?.data.eventType, more]).toEqual([
      expect.objectContaining({ name: 'CANCELLED' }),
      'CANCELLED',
      [],
    ]);
  });

  it('are 404 for an unknown task', async () => {
    expect((await api.server.get('/tasks/9007199254740993/events')).body.code).toBe('TASK_NOT_FOUND');
  });
});

describe('the events of a base', () => {
  const path = () => `/events?knowledgeBaseId=${planted.knowledgeBaseId}`;

  it('are those of its tasks from now on, and go on where they were left', async () => {
    const elsewhere = await accepted(await plantDocument(api.test.database));
    const client = await follow(path());
    await cancel(elsewhere);
    await cancel();
    const seen = await client.next();
    expect(seen?.data).toMatchObject({ eventType: 'CANCELLED', taskId });
    client.close();
    const next = await accepted(planted);
    const resumed = await follow(path(), seen?.id);
    expect((await resumed.next())?.data).toMatchObject({ eventType: 'START', taskId: next });
    resumed.close();
  });

  it('say so when they cannot go on from an id', async () => {
    for (const id of ['garbage', '1-1', '99999999999999999999-1', '1']) {
      const client = await follow(path(), id);
      expect(await client.next()).toEqual({ event: 'reset', data: { reason: 'UNKNOWN_EVENT_ID' } });
      client.close();
    }
  });

  it('are 404 for an unknown base, and 400 for none', async () => {
    expect((await api.server.get('/events?knowledgeBaseId=9007199254740993')).body.code).toBe(
      'KNOWLEDGE_BASE_NOT_FOUND',
    );
    expect((await api.server.get('/events')).body).toMatchObject({
      status: 400,
      fields: [{ path: 'knowledgeBaseId' }],
    });
  });
});

describe('event streams', () => {
  it('are refused beyond their number, with when to try again, and find room when one is closed', async () => {
    const clients = await Promise.all(Array.from({ length: mostStreams }, () => follow()));
    const refused = await api.server.get(`/tasks/${taskId}/events`);
    expect([refused.status, refused.body.code, refused.body.limit, refused.headers.get('retry-after')]).toEqual([
      503,
      'TOO_BUSY',
      mostStreams,
      '1',
    ]);
    for (const client of clients) client.close();
    let status = 503;
    while (status === 503) {
      const client = await follow();
      status = client.answer.status;
      client.close();
    }
    expect(status).toBe(200);
  });

  it('leave no place taken when clients go at once, or only ask for the head', async () => {
    for (let i = 0; i < mostStreams * 2; i += 1) {
      const leaving = new AbortController();
      const asked = fetch(`${api.server.url}/tasks/${taskId}/events`, { signal: leaving.signal });
      setImmediate(() => leaving.abort());
      await asked.then((answer) => answer.text()).catch(() => undefined);
      expect((await api.server.call('HEAD', `/tasks/${taskId}/events`)).status).toBeLessThanOrEqual(503);
    }
    await cancel();
    let log = await (await follow()).all();
    while (log.length === 0) log = await (await follow()).all();
    expect(types(log)).toEqual(['START', 'CANCELLED']);
  });

  it('end at once when the server stops', async () => {
    const stopping = await startHttpApi();
    const id = await accepted(await plantDocument(stopping.test.database), stopping);
    const client = await EventClient.open(`${stopping.server.url}/tasks/${id}/events`);
    await client.next();
    const stopped = stopping.stop();
    expect(await client.all()).toEqual([]);
    await stopped;
  });
});
