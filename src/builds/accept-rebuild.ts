import type { Database } from '../database/database.js';
import type { Once } from '../database/once.js';
import type { BatchRepository, BatchTarget } from '../database/repositories/batch-repository.js';
import type { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { presentTrace } from '../tracing/trace-scope.js';

export interface RebuildRequest {
  readonly tenantId: TenantId;
  readonly target: BatchTarget;
  /** Leaves out what is served up to date. */
  readonly onlyStale: boolean;
  readonly reason?: string;
  readonly operatorId?: Id;
}

export interface AcceptedRebuild {
  readonly batchId: Id;
  /** Documents of the batch, buildable or not. */
  readonly total: number;
}

export interface AcceptRebuildParts {
  readonly database: Database;
  readonly batches: BatchRepository;
  readonly bases: KnowledgeBaseRepository;
  readonly ids: { next(): Id };
}

/** Takes on the rebuild of many documents: notes which ones, and leaves judging and building them to later. */
export class AcceptRebuild {
  constructor(private readonly parts: AcceptRebuildParts) {}

  /**
   * @param once has a repetition give the batch that was made the first time.
   * @throws AppError KNOWLEDGE_BASE_NOT_FOUND.
   */
  async accept({ tenantId, target, ...how }: RebuildRequest, once?: Once): Promise<AcceptedRebuild> {
    const { database, batches, bases, ids } = this.parts;
    if ('knowledgeBaseId' in target && !(await bases.find(tenantId, target.knowledgeBaseId))) throw baseNotFound();
    const batchId = ids.next();
    const trace = presentTrace();
    return database.transaction(async (tx) => {
      // A base that is deleted meanwhile must not get a batch of its hidden documents.
      if ('knowledgeBaseId' in target && !(await bases.holdOn(tx, target.knowledgeBaseId))) throw baseNotFound();
      return { batchId, total: await batches.insert(tx, { id: batchId, tenantId, target, ...how, trace }) };
    }, once);
  }
}

function baseNotFound(): AppError {
  return new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'There is no such knowledge base.');
}
