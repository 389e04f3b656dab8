import type { Database } from '../database/database.js';
import { BatchReadRepository } from '../database/repositories/batch-read-repository.js';
import { BatchRepository } from '../database/repositories/batch-repository.js';
import { BuildAcceptanceRepository } from '../database/repositories/build-acceptance-repository.js';
import { ChunkReadRepository } from '../database/repositories/chunk-read-repository.js';
import { ChunkRepository } from '../database/repositories/chunk-repository.js';
import { DeadLetterRepository } from '../database/repositories/dead-letter-repository.js';
import { DeletionRepository } from '../database/repositories/deletion-repository.js';
import { DocumentRepository } from '../database/repositories/document-repository.js';
import { DocumentTextRepository } from '../database/repositories/document-text-repository.js';
import { IdempotencyKeyRepository } from '../database/repositories/idempotency-key-repository.js';
import { OrphanRepository } from '../database/repositories/drift/orphan-repository.js';
import { PlanDriftRepository } from '../database/repositories/drift/plan-drift-repository.js';
import { StatusDriftRepository } from '../database/repositories/drift/status-drift-repository.js';
import { TaskDriftRepository } from '../database/repositories/drift/task-drift-repository.js';
import { VersionDriftRepository } from '../database/repositories/drift/version-drift-repository.js';
import { FileRepository } from '../database/repositories/file-repository.js';
import { RetentionRepository } from '../database/repositories/retention-repository.js';
import { IndexVersionRepository } from '../database/repositories/index-version-repository.js';
import { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import { OverdueRepository } from '../database/repositories/overdue-repository.js';
import { OutboxRepository } from '../database/repositories/outbox-repository.js';
import { PlanRepository } from '../database/repositories/plan-repository.js';
import { QueueRepository } from '../database/repositories/queue-repository.js';
import { SearchRepository } from '../database/repositories/search-repository.js';
import { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { TaskFailureRepository } from '../database/repositories/task-failure-repository.js';
import { TaskFeedRepository } from '../database/repositories/task-feed-repository.js';
import { TaskLeaseRepository } from '../database/repositories/task-lease-repository.js';
import { TaskLogRepository } from '../database/repositories/task-log-repository.js';
import { TaskRepository } from '../database/repositories/task-repository.js';
import { UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import { WorkerRepository } from '../database/repositories/worker-repository.js';
import type { Id } from '../domain/ids/id.js';
import { deadTaskMessage } from '../messaging/dead-letter.js';

export type Repositories = ReturnType<typeof repositoriesOn>;

/** All repositories on one database. */
export function repositoriesOn(database: Database, ids: { next(): Id }) {
  const documents = new DocumentRepository(database);
  const versions = new IndexVersionRepository(database);
  const letters = new DeadLetterRepository(database, ids);
  const outbox = new OutboxRepository(database, ids);
  return {
    acceptances: new BuildAcceptanceRepository(),
    batches: new BatchRepository(database),
    batchReads: new BatchReadRepository(database),
    bases: new KnowledgeBaseRepository(database),
    chunks: new ChunkRepository(database),
    commands: new TaskCommandRepository(),
    chunkReads: new ChunkReadRepository(database),
    deletions: new DeletionRepository(database),
    documents,
    failures: new TaskFailureRepository({ documents, versions, letters, outbox, messageOf: deadTaskMessage }),
    keys: new IdempotencyKeyRepository(database),
    feeds: new TaskFeedRepository(database),
    letters,
    leases: new TaskLeaseRepository(database),
    logs: new TaskLogRepository(database),
    overdue: new OverdueRepository(database),
    outbox,
    plans: new PlanRepository(database),
    queues: new QueueRepository(database),
    searches: new SearchRepository(database),
    tasks: new TaskRepository(database),
    texts: new DocumentTextRepository(database),
    upkeep: new UpkeepRepository(database),
    versions,
    workers: new WorkerRepository(database),
    orphans: new OrphanRepository(database),
    planDrift: new PlanDriftRepository(database),
    statusDrift: new StatusDriftRepository(database),
    taskDrift: new TaskDriftRepository(database),
    versionDrift: new VersionDriftRepository(database),
    files: new FileRepository(database),
    retention: new RetentionRepository(database),
  };
}
