import type { CancelTask } from '../../builds/cancel-task.js';
import type { RetryTask } from '../../builds/retry-task.js';
import type { ReadTasks } from '../../progress/read-tasks.js';
import type { TaskWatch } from '../../progress/task-watch.js';
import { accepted, notModified, ok } from '../answer.js';
import { etagMatches, etagOf } from '../etag.js';
import { longPoll } from '../long-poll.js';
import { TaskCommandRequest } from '../requests/task-command-request.js';
import { TaskListQuery, TaskQuery } from '../requests/task-queries.js';
import { optionalJson, route, type Route } from '../route.js';
import { TaskLogView, taskLogView } from '../views/task-log-view.js';
import { TaskView, taskView } from '../views/task-view.js';

export interface TaskUseCases {
  readonly readTasks: Pick<ReadTasks, 'get' | 'list' | 'listLogs'>;
  readonly taskWatch: Pick<TaskWatch, 'watch'>;
  readonly cancelTask: Pick<CancelTask, 'cancel'>;
  readonly retryTask: Pick<RetryTask, 'retry'>;
}

const tag = 'Tasks';

/** Watching tasks, and stopping or repeating them. */
export function taskRoutes(useCases: TaskUseCases): readonly Route[] {
  return [...readingRoutes(useCases), ...commandRoutes(useCases)];
}

function commandRoutes({ readTasks, cancelTask, retryTask }: TaskUseCases): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/tasks/:taskId/cancel',
      tag,
      summary: 'Stop a task',
      description: 'A waiting task is over in the answer; a running one stops within two seconds.',
      body: optionalJson(TaskCommandRequest),
      responses: { 202: { description: 'The task, CANCELLED.', shape: TaskView } },
      refusals: ['TASK_NOT_FOUND', 'TASK_FINISHED'],
      handle: async ({ tenantId, params, language, body }) => {
        await cancelTask.cancel(tenantId, params.taskId, body.operatorId);
        return accepted(taskView(await readTasks.get(tenantId, params.taskId), language));
      },
    }),
    route({
      method: 'POST',
      path: '/tasks/:taskId/retry',
      tag,
      summary: 'Run a failed task again',
      creates: true,
      description: 'It goes on from the batch where it failed, with all its automatic retries.',
      body: optionalJson(TaskCommandRequest),
      responses: { 202: { description: 'The task, RETRYING.', shape: TaskView } },
      refusals: ['TASK_NOT_FOUND', 'TASK_NOT_RETRYABLE', 'BUILD_IN_PROGRESS', 'TASK_SUPERSEDED', 'BROKER_UNAVAILABLE'],
      handle: async ({ tenantId, params, language, body, once }) => {
        await retryTask.retry(tenantId, params.taskId, body.operatorId, once);
        return accepted(taskView(await readTasks.get(tenantId, params.taskId), language));
      },
    }),
  ];
}

function readingRoutes({ readTasks, taskWatch }: TaskUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/tasks/:taskId',
      tag,
      summary: 'Look at a task',
      description:
        'The progress read. Its ETag leaves out what changes with time alone (`ageMs`, `position`, `nextPollMs`). A finished task is answered at once, also with `waitMs`.',
      query: TaskQuery,
      responses: {
        200: { description: 'The task.', shape: TaskView },
        304: { description: 'Nothing has changed since the ETag in If-None-Match.' },
      },
      refusals: ['TASK_NOT_FOUND'],
      handle: async (request) => {
        const { tenantId, params, query, language, signal } = request;
        const known = request.header('if-none-match');
        const poll = {
          read: async () => taskView(await readTasks.get(tenantId, params.taskId), language),
          watch: () => taskWatch.watch(params.taskId),
          etag: etagOfTask,
          isFinal: (task: TaskView) => task.nextPollMs === null,
          ...(known === undefined ? {} : { known: (etag: string) => etagMatches(known, etag) }),
        };
        const task = await longPoll(poll, query.waitMs ?? 0, signal);
        const headers = { ETag: etagOfTask(task), 'Cache-Control': 'no-cache' };
        return etagMatches(known, headers.ETag) ? notModified(headers) : ok(task, headers);
      },
    }),
    route({
      method: 'GET',
      path: '/tasks',
      tag,
      summary: 'List tasks, newest first',
      list: 'id',
      query: TaskListQuery,
      responses: { 200: { description: 'A page of tasks.', items: TaskView } },
      handle: async (request) => {
        const page = await readTasks.list(request.tenantId, request.query, request.page);
        return ok(request.pageView(page, (task) => taskView(task, request.language)));
      },
    }),
    route({
      method: 'GET',
      path: '/tasks/:taskId/logs',
      tag,
      summary: 'The history of a task, oldest first',
      list: 'id',
      responses: { 200: { description: 'A page of its log.', items: TaskLogView } },
      refusals: ['TASK_NOT_FOUND'],
      handle: async (request) => {
        const page = await readTasks.listLogs(request.tenantId, request.params.taskId, request.page);
        return ok(request.pageView(page, (line) => taskLogView(line, request.language)));
      },
    }),
  ];
}

/** What changes with time alone is no news. */
function etagOfTask(task: TaskView): string {
  return etagOf({ ...task, nextPollMs: task.nextPollMs === null, waiting: task.waiting?.state });
}
