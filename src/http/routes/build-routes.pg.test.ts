import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plantDocument, plantTask } from '../../testing/factories.js';
import { startHttpApi, type HttpApi } from '../../testing/http-api.js';
import { shapeFaults } from '../../testing/shape-faults.js';
import { AcceptedBuildView, BuildChecksView } from '../views/build-view.js';
import { TaskLogView } from '../views/task-log-view.js';
import { TaskView } from '../views/task-view.js';

let api: HttpApi;

beforeAll(async () => {
  api = await startHttpApi();
});
afterAll(() => api.stop());

const build = (body: object) => api.server.post('/index/build', JSON.stringify(body));

describe('a build that is taken on', () => {
  it('is answered as documented, with its task to poll', async () => {
    const { documentId, planId } = await plantDocument(api.test.database);
    const answer = await build({ documentId, planId, operatorId: 4711 });
    expect([answer.status, answer.headers.get('location')]).toEqual([202, `/tasks/${String(answer.body.taskId)}`]);
    expect(answer.body).toMatchObject({
      documentId,
      planId,
      taskType: { code: 2, name: 'BUILD_INDEX' },
      taskStatus: { code: 1, name: 'NEW' },
      indexStatus: { code: 2, name: 'BUILDING' },
      currentStage: { code: 4, name: 'CHUNK_EXECUTE' },
      triggerSource: { code: 1, name: 'USER' },
      strategySnapshot: 'PARENT:1;CHILD:2',
    });
    expect(shapeFaults(AcceptedBuildView, answer.body, api.server.limits)).toEqual([]);
  });
});

describe('a build that is refused', () => {
  it('carries what the caller needs, codes with their names', async () => {
    const open = await plantDocument(api.test.database, { confirmed: false });
    const notReady = await build(open);
    expect(notReady.status).toBe(400);
    const { documentId, planId } = open;
    expect((await build({ documentId, planId })).body).toMatchObject({
      code: 'DOCUMENT_NOT_READY',
      parseStatus: { code: 3, name: 'PARSE_SUCCESS' },
      strategyStatus: { code: 2, name: 'RECOMMENDED' },
    });
    const ready = await plantDocument(api.test.database);
    expect((await build({ documentId: ready.documentId, planId })).body).toMatchObject({
      status: 409,
      code: 'PLAN_STALE',
      currentPlanId: ready.planId,
    });
    const taskId = await plantTask(api.test.database, ready);
    expect((await build({ documentId: ready.documentId, planId: ready.planId })).body).toMatchObject({
      status: 409,
      code: 'BUILD_IN_PROGRESS',
      taskId,
    });
  });

  it('by the broker says when to try again, and leaves nothing', async () => {
    const { documentId, planId } = await plantDocument(api.test.database);
    const working = api.publisher.onPublish;
    api.publisher.refuse();
    const answer = await build({ documentId, planId });
    api.publisher.onPublish = working;
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'BROKER_UNAVAILABLE',
      '5',
    ]);
    expect((await api.server.get(`/tasks?documentId=${documentId}`)).body.items).toEqual([]);
  });
});

describe('the page of checks', () => {
  it('shows all four, each with what mends it', async () => {
    const { documentId, planId } = await plantDocument(api.test.database, { confirmed: false });
    const { body } = await api.server.get(`/index/build/checks?documentId=${documentId}&planId=${planId}`);
    expect(shapeFaults(BuildChecksView, body, api.server.limits)).toEqual([]);
    const checks = body.checks as { no: number; passed: boolean; code?: string; action?: string }[];
    expect([body.allowed, checks.map(({ no, passed }) => [no, passed])]).toEqual([
      false,
      [
        [1, false],
        [2, true],
        [3, true],
        [4, false],
      ],
    ]);
    for (const { passed, code, action } of checks) expect([Boolean(code), Boolean(action)]).toEqual([!passed, !passed]);
  });

  it('needs both ids, and says so at once', async () => {
    const { body } = await api.server.get('/index/build/checks?documentId=x');
    expect((body.fields as { path: string }[]).map(({ path }) => path).sort()).toEqual(['documentId', 'planId']);
  });
});

describe('a task', () => {
  it('is answered as documented, its log too, in the language that is asked for', async () => {
    const { documentId, planId } = await plantDocument(api.test.database);
    const { taskId } = (await build({ documentId, planId, operatorId: '4711' })).body;
    const task = await api.server.get(`/tasks/${String(taskId)}`);
    expect(shapeFaults(TaskView, task.body, api.server.limits)).toEqual([]);
    // No worker runs beside this API, and the task says so.
    expect(task.body).toMatchObject({ percent: 0, waiting: { state: 'STARVED' }, nextPollMs: 500 });
    const logs = await api.server.get(`/tasks/${String(taskId)}/logs`, { 'accept-language': 'zh' });
    const [line] = logs.body.items as Record<string, unknown>[];
    expect(shapeFaults(TaskLogView, line, api.server.limits)).toEqual([]);
    expect(line).toMatchObject({
      eventType: 'START',
      level: 'INFO',
      operatorId: '4711',
      operatorType: { name: 'USER' },
      message: '任务已受理',
      metadata: { planId, strategySnapshot: 'PARENT:1;CHILD:2' },
    });
  });

  it('is not sent again to a caller that has it, until it changes', async () => {
    const planted = await plantDocument(api.test.database);
    const taskId = await plantTask(api.test.database, planted);
    const etag = (await api.server.get(`/tasks/${taskId}`)).headers.get('etag') ?? '';
    const same = await api.server.get(`/tasks/${taskId}`, { 'if-none-match': `"other", ${etag}` });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    const held = api.server.get(`/tasks/${taskId}?waitMs=20000`, { 'if-none-match': etag });
    await api.test.database.query(`update task set task_status = 7, finished_at = clock_timestamp() where id = $1`, [
      taskId,
    ]);
    const changed = await held;
    expect([changed.status, changed.body.taskStatus]).toEqual([200, expect.objectContaining({ name: 'CANCELLED' })]);
    const finished = await api.server.get(`/tasks/${taskId}?waitMs=20000`);
    expect([finished.status, finished.body.nextPollMs]).toEqual([200, null]);
  });

  it('is found by its filters, by code or name', async () => {
    const planted = await plantDocument(api.test.database);
    const taskId = await plantTask(api.test.database, planted);
    const { documentId } = planted;
    for (const filter of ['taskStatus=NEW&taskType=2', 'taskStatus=1&taskType=BUILD_INDEX']) {
      const { body } = await api.server.get(`/tasks?documentId=${documentId}&${filter}`);
      expect((body.items as { taskId: string }[]).map((task) => task.taskId)).toEqual([taskId]);
    }
    expect((await api.server.get(`/tasks?documentId=${documentId}&taskStatus=SUCCESS`)).body.items).toEqual([]);
    expect((await api.server.get('/tasks?taskType=BUILD')).status).toBe(400);
    expect((await api.server.get('/tasks/9007199254740993')).body.code).toBe('TASK_NOT_FOUND');
  });
});
