import type { ReadWorkload } from '../../progress/read-workload.js';
import type { Reconcile } from '../../upkeep/reconcile.js';
import type { RunPass } from '../../upkeep/run-pass.js';
import { ok } from '../answer.js';
import { ReconcileRequest } from '../requests/reconcile-request.js';
import { optionalJson, route, type Route } from '../route.js';
import { PassRunView, passRunView, ReconcileView, reconcileView } from '../views/upkeep-view.js';
import { deadLetterRoutes, type DeadLetterUseCases } from './dead-letter-routes.js';
import { queueListHead, QueueListHead, QueueView, queueView } from '../views/queue-view.js';
import { WorkerView, workerView } from '../views/worker-view.js';

export interface AdminUseCases extends DeadLetterUseCases {
  readonly readWorkload: Pick<ReadWorkload, 'listQueues' | 'listWorkers'>;
  readonly runPass: Pick<RunPass, 'run'>;
  readonly reconcile: Pick<Reconcile, 'run'>;
}

const tag = 'Operating';

/** What an operator looks at, and has done at once. */
export function adminRoutes(useCases: AdminUseCases): readonly Route[] {
  const { readWorkload, runPass, reconcile } = useCases;
  return [
    ...deadLetterRoutes(useCases),
    route({
      method: 'GET',
      path: '/admin/queues',
      tag,
      summary: 'What is waiting, by type of task',
      description:
        'Tasks are counted by the database, `lag` by the broker: messages are only hints, so a lag without waiting tasks needs nobody.',
      list: 'ordinal',
      responses: { 200: { description: 'A page of queues.', items: QueueView, shape: QueueListHead } },
      handle: async (request) => {
        const { items, next, ...head } = await readWorkload.listQueues(request.page);
        const view = request.pageView({ items, next }, (queue) => queueView(queue, request.language));
        return ok({ ...view, ...queueListHead(head) });
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
    route({
      method: 'POST',
      path: '/admin/upkeep/:pass/run',
      names: ['pass'],
      tag,
      summary: 'Run a pass of upkeep now',
      description: 'A pass that has much to do does a part of it; what is left is done by the next run.',
      responses: { 200: { description: 'What it did.', shape: PassRunView } },
      refusals: ['PASS_NOT_FOUND'],
      handle: async ({ params: { pass }, signal }) => ok(passRunView(pass, await runPass.run(pass, signal))),
    }),
    route({
      method: 'POST',
      path: '/admin/reconcile',
      tag,
      summary: 'Compare what is stored with itself',
      description:
        'Looks over documents, tasks, messages, versions, chunks, vectors and files; with `repair` it mends what it finds.',
      body: optionalJson(ReconcileRequest),
      responses: { 200: { description: 'What disagreed, by kind.', shape: ReconcileView } },
      handle: async ({ body: { repair }, signal }) =>
        ok(reconcileView(await reconcile.run(repair ? ['upkeep', 'person'] : [], signal))),
    }),
  ];
}
