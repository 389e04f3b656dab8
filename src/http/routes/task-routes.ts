import type { ReadTasks } from '../../progress/read-tasks.js';
import { notModified, ok } from '../answer.js';
import { etagMatches, etagOf } from '../etag.js';
import { longPoll } from '../long-poll.js';
import { TaskListQuery, TaskQuery } from '../requests/task-queries.js';
import { route, type Route } from '../route.js';
import { TaskLogView, taskLogView } from '../views/task-log-view.js';
import { TaskView, taskView } from '../views/task-view.js';

export interface TaskUseCases {
  readonly readTasks: Pick<ReadTasks, 'get' | 'list' | 'listLogs'>;
}

const tag = 'Tasks';

/** Watching tasks. */
export function taskRoutes({ readTasks }: TaskUseCases): readonly Route[] {
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
