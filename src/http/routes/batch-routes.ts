import type { AcceptRebuild } from '../../builds/accept-rebuild.js';
import type { CancelBatch } from '../../builds/cancel-batch.js';
import type { RetryBatch } from '../../builds/retry-batch.js';
import type { BatchTarget } from '../../database/repositories/batch-repository.js';
import type { ReadBatches } from '../../progress/read-batches.js';
import { accepted, ok } from '../answer.js';
import { invalidRequest } from '../invalid-request.js';
import { BatchItemsQuery, RebuildRequest } from '../requests/batch-requests.js';
import { TaskCommandRequest } from '../requests/task-command-request.js';
import { json, optionalJson, route, type Route } from '../route.js';
import {
  acceptedRebuildView,
  AcceptedRebuildView,
  batchItemView,
  BatchItemView,
  batchView,
  BatchView,
} from '../views/batch-view.js';

export interface BatchUseCases {
  readonly acceptRebuild: Pick<AcceptRebuild, 'accept'>;
  readonly readBatches: Pick<ReadBatches, 'get' | 'list' | 'listItems'>;
  readonly cancelBatch: Pick<CancelBatch, 'cancel'>;
  readonly retryBatch: Pick<RetryBatch, 'retryFailed'>;
}

const tag = 'Batches';

/** Rebuilding many documents at once. */
export function batchRoutes(useCases: BatchUseCases): readonly Route[] {
  return [rebuildRoute(useCases), ...readingRoutes(useCases), ...commandRoutes(useCases)];
}

function rebuildRoute({ acceptRebuild }: BatchUseCases): Route {
  return route({
    method: 'POST',
    path: '/index/rebuild',
    tag,
    summary: 'Rebuild a base, or a list of documents',
    creates: true,
    description:
      'Notes the documents and answers; their tasks follow behind builds of single documents. What cannot be built is skipped, each with its reason.',
    body: json(RebuildRequest),
    responses: { 202: { description: 'Taken on; Location names the batch.', shape: AcceptedRebuildView } },
    refusals: ['KNOWLEDGE_BASE_NOT_FOUND'],
    handle: async ({ tenantId, body, once }) => {
      const { onlyStale = false, reason, operatorId } = body;
      const request = {
        tenantId,
        target: targetOf(body),
        onlyStale,
        ...(reason ? { reason } : {}),
        ...(operatorId ? { operatorId } : {}),
      };
      const rebuild = await acceptRebuild.accept(request, once);
      return accepted(acceptedRebuildView(rebuild), { Location: `/batches/${rebuild.batchId}` });
    },
  });
}

function targetOf({ knowledgeBaseId, documentIds }: RebuildRequest): BatchTarget {
  if (knowledgeBaseId !== undefined && documentIds === undefined) return { knowledgeBaseId };
  if (documentIds !== undefined && knowledgeBaseId === undefined) return { documentIds };
  const message =
    documentIds === undefined ? 'or documentIds must be there' : 'and documentIds must not be there together';
  throw invalidRequest([{ path: 'knowledgeBaseId', message }]);
}

function readingRoutes({ readBatches }: BatchUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/batches',
      tag,
      summary: 'List batches, newest first',
      list: 'id',
      responses: { 200: { description: 'A page of batches.', items: BatchView } },
      handle: async (request) => {
        const page = await readBatches.list(request.tenantId, request.page);
        return ok(request.pageView(page, (batch) => batchView(batch, request.language)));
      },
    }),
    route({
      method: 'GET',
      path: '/batches/:batchId',
      tag,
      summary: 'Look at a batch',
      responses: { 200: { description: 'The batch.', shape: BatchView } },
      refusals: ['BATCH_NOT_FOUND'],
      handle: async ({ tenantId, params, language }) =>
        ok(batchView(await readBatches.get(tenantId, params.batchId), language)),
    }),
    route({
      method: 'GET',
      path: '/batches/:batchId/items',
      tag,
      summary: 'The documents of a batch, by id',
      list: 'id',
      query: BatchItemsQuery,
      responses: { 200: { description: 'A page of items.', items: BatchItemView } },
      refusals: ['BATCH_NOT_FOUND'],
      handle: async (request) => {
        const { tenantId, params, query } = request;
        const page = await readBatches.listItems(tenantId, params.batchId, query.status, request.page);
        return ok(request.pageView(page, (item) => batchItemView(item, request.language)));
      },
    }),
  ];
}

function commandRoutes({ readBatches, cancelBatch, retryBatch }: BatchUseCases): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/batches/:batchId/cancel',
      tag,
      summary: 'Stop a batch',
      description: 'What waits never starts; what runs stops within two seconds; what is over stays.',
      body: optionalJson(TaskCommandRequest),
      responses: { 202: { description: 'The batch, CANCELLED.', shape: BatchView } },
      refusals: ['BATCH_NOT_FOUND', 'BATCH_FINISHED'],
      handle: async ({ tenantId, params, language, body }) => {
        await cancelBatch.cancel(tenantId, params.batchId, body.operatorId);
        return accepted(batchView(await readBatches.get(tenantId, params.batchId), language));
      },
    }),
    route({
      method: 'POST',
      path: '/batches/:batchId/retry-failed',
      tag,
      summary: 'Try the failed documents of a batch again',
      creates: true,
      description:
        'Each goes on from where it failed, or starts anew if its plan or source has changed. A batch that was DONE runs again; a cancelled one does not.',
      body: optionalJson(TaskCommandRequest),
      responses: { 202: { description: 'The batch, RUNNING.', shape: BatchView } },
      refusals: ['BATCH_NOT_FOUND', 'BATCH_FINISHED', 'NOTHING_TO_RETRY'],
      handle: async ({ tenantId, params, language, body, once }) => {
        await retryBatch.retryFailed(tenantId, params.batchId, body.operatorId, once);
        return accepted(batchView(await readBatches.get(tenantId, params.batchId), language));
      },
    }),
  ];
}
