import { AcceptRebuild, type RebuildRequest } from '../builds/accept-rebuild.js';
import { CancelBatch } from '../builds/cancel-batch.js';
import { FillBatch, type FillBatchOptions, type FillBatchParts } from '../builds/fill-batch.js';
import { freezeUnder } from '../builds/freeze-spec.js';
import { RetryBatch } from '../builds/retry-batch.js';
import { repositoriesOn } from '../composition/repositories.js';
import type { Database } from '../database/database.js';
import type { BatchItemView, BatchView } from '../database/repositories/batch-read-repository.js';
import { defaultTenant, type Id } from '../domain/ids/id.js';
import { PlanStatus } from '../domain/plan/plan-status.js';
import { Stage } from '../domain/task/stage.js';
import { TaskStatus } from '../domain/task/task-status.js';
import { silentLogger } from '../logging/logger.js';
import { ReadBatches } from '../progress/read-batches.js';
import { FillBatches } from '../upkeep/fill-batches.js';
import { testIds, testLimits, testModel, type PlantedDocument } from './factories.js';

type FillerParts = Partial<FillBatchParts & Pick<FillBatchOptions, 'ahead' | 'onOutbox'>>;

/** Batches without a service round them: to accept, fill, command and look into. */
export class BatchBench {
  readonly reads: ReadBatches;
  private readonly repositories: ReturnType<typeof repositoriesOn>;

  constructor(private readonly database: Database) {
    this.repositories = repositoriesOn(database, testIds);
    this.reads = new ReadBatches(this.repositories.batchReads);
  }

  /** Batches of the test before take no part any more. */
  async forgetEarlier(): Promise<void> {
    await this.database.query('update batch set filled_at = now() where filled_at is null');
  }

  async accept(target: RebuildRequest['target'], more: Partial<RebuildRequest> = {}): Promise<Id> {
    const { batches, bases } = this.repositories;
    const accept = new AcceptRebuild({ database: this.database, batches, bases, ids: testIds });
    return (await accept.accept({ tenantId: defaultTenant, target, onlyStale: false, ...more })).batchId;
  }

  /** The pass as the service joins it; a test may put a part of its own in place of a real one. */
  filler({ ahead = 100_000, onOutbox = () => undefined, ...parts }: FillerParts = {}): FillBatches {
    const { batches, acceptances, commands, outbox } = this.repositories;
    const { database } = this;
    const real: FillBatchParts = {
      database,
      batches,
      acceptances,
      commands,
      outbox,
      ids: testIds,
      judgePlan: (plan) =>
        plan?.planStatus === PlanStatus.Confirmed ? [] : [{ path: 'planId', code: 'NOT_CONFIRMED', message: 'no' }],
      freezeSpec: freezeUnder({ limits: testLimits, model: testModel, segmenterVersion: 1 }),
    };
    const fillBatch = new FillBatch({ ...real, ...parts }, { ahead, maxRetryCount: 3, onOutbox });
    return new FillBatches(database, batches, fillBatch, silentLogger, 1_000);
  }

  /** Runs passes until one finds nothing to do. */
  async fill(filler = this.filler()): Promise<void> {
    for (;;) if (Object.values(await filler.runOnce()).every((count) => count === 0)) return;
  }

  cancel(batchId: Id): Promise<void> {
    const { batches, batchReads, commands } = this.repositories;
    return new CancelBatch(this.database, batches, batchReads, commands).cancel(defaultTenant, batchId, '7');
  }

  retryFailed(batchId: Id): Promise<Id> {
    const { batches, batchReads } = this.repositories;
    return new RetryBatch(this.database, batches, batchReads).retryFailed(defaultTenant, batchId, '7');
  }

  /** Ends a task as its worker would: well, or with an error that another try may mend. */
  async endTask(taskId: Id | null | undefined, status: TaskStatus): Promise<void> {
    await this.database.query(
      `update task set task_status = $2::smallint, finished_at = now(), lease_until = null, attempt = 1,
                       current_stage = ${Stage.Vectorize},
                       error = case when $2::smallint <> ${TaskStatus.Success}
                                    then '{"code": "EMBEDDING_FAILED", "message": "m"}'::jsonb end where id = $1`,
      [taskId, status],
    );
  }

  /** Changes a document behind the service's back. */
  async changeDocument(assignments: string, { documentId }: Pick<PlantedDocument, 'documentId'>): Promise<void> {
    await this.database.query(`update document set ${assignments} where id = $1`, [documentId]);
  }

  /** The batch; throws if its counts do not add up. */
  async look(batchId: Id): Promise<BatchView> {
    const batch = await this.reads.get(defaultTenant, batchId);
    const sum = Object.values(batch.counts).reduce((a, b) => a + b, 0);
    if (sum !== batch.total) throw new Error(`${sum} of ${batch.total} items: ${JSON.stringify(batch.counts)}`);
    return batch;
  }

  /** All items, by document. */
  async items(batchId: Id): Promise<Map<Id, BatchItemView>> {
    const items = new Map<Id, BatchItemView>();
    let after: string | null = '0';
    while (after !== null) {
      const page = await this.reads.listItems(defaultTenant, batchId, undefined, { limit: 200, after });
      for (const item of page.items) items.set(item.documentId, item);
      after = page.next;
    }
    return items;
  }

  /** Documents of a batch that were not skipped and have not exactly one task, START line and message. */
  notExactlyOnce(batchId: Id): Promise<{ documentId: Id }[]> {
    return this.database.query(
      `select i.document_id as "documentId" from batch_item i
        where i.batch_id = $1 and i.skip_reason is null
          and ((select count(*) from task t
                 where t.id = i.task_id and t.batch_id = i.batch_id and t.document_id = i.document_id) <> 1
            or (select count(*) from task t where t.document_id = i.document_id) <> 1
            or (select count(*) from task_log l where l.task_id = i.task_id and l.event = 'START') <> 1
            or (select count(*) from outbox o where o.payload ->> 'taskId' = i.task_id::text) <> 1)`,
      [batchId],
    );
  }
}
