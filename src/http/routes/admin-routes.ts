import type { ReadWorkload } from '../../progress/read-workload.js';
import { ok } from '../answer.js';
import { route, type Route } from '../route.js';
import { outboxView, QueueListHead, QueueView, queueView } from '../views/queue-view.js';
import { WorkerView, workerView } from '../views/worker-view.js';

export interface AdminUseCases {
  readonly readWorkload: Pick<ReadWorkload, 'listQueues' | 'listWorkers'>;
}

const tag = 'Operating';

/** What an operator looks at. */
export function adminRoutes({ readWorkload }: AdminUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/queues',
      tag,
      summary: 'What is waiting, by type of task',
      list: 'ordinal',
      responses: { 200: { description: 'A page of queues.', items: QueueView, shape: QueueListHead } },
      handle: async (request) => {
        const { outbox, ...page } = await readWorkload.listQueues(request.page);
        const view = request.pageView(page, (queue) => queueView(queue, request.language));
        return ok({ ...view, outbox: outboxView(outbox) });
      },
    }),
    route({
      method: 'GET',
      path: '/admin/workers',
      tag,
      summary: 'The workers, and what each holds',
      description: 'A worker that died without a word stays for an hour, not alive.',
      list: 'id',
      responses: { 200: { description: 'A page of workers, oldest first.', items: WorkerView } },
      handle: async (request) => {
        const page = await readWorkload.listWorkers(request.page);
        return ok(request.pageView(page, (worker) => workerView(worker, request.language)));
      },
    }),
  ];
}
