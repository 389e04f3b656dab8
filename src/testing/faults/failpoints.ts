import { KafkaPublisher } from '../../adapters/kafka/kafka-publisher.js';
import { LocalFiles } from '../../adapters/local-files/local-files.js';
import { TransformersEmbedder } from '../../adapters/transformers/transformers-embedder.js';
import { AcceptBuild } from '../../builds/accept-build.js';
import { AcceptRebuild } from '../../builds/accept-rebuild.js';
import { RetryTask } from '../../builds/retry-task.js';
import { Chunker } from '../../chunking/chunker.js';
import { BuildAcceptanceRepository } from '../../database/repositories/build-acceptance-repository.js';
import { ChunkRepository } from '../../database/repositories/chunk-repository.js';
import { DocumentRepository } from '../../database/repositories/document-repository.js';
import { DocumentTextRepository } from '../../database/repositories/document-text-repository.js';
import { IndexVersionRepository } from '../../database/repositories/index-version-repository.js';
import { OutboxRepository } from '../../database/repositories/outbox-repository.js';
import { PlanRepository } from '../../database/repositories/plan-repository.js';
import { TaskLeaseRepository } from '../../database/repositories/task-lease-repository.js';
import { UpkeepRepository } from '../../database/repositories/upkeep-repository.js';
import { DocumentParser } from '../../documents/document-parser.js';
import { ParseTasks } from '../../documents/parse-tasks.js';
import { ReceiveUpload } from '../../documents/receive-upload.js';
import { TaskType } from '../../domain/task/task-type.js';
import { Topic } from '../../messaging/topic.js';
import { PlanProposer } from '../../plans/plan-proposer.js';
import { StorePlan } from '../../plans/store-plan.js';
import { VersionWriter } from '../../vector-index/version-writer.js';
import { ChunkExecute } from '../../worker/stages/chunk-execute.js';
import { ContentParse } from '../../worker/stages/content-parse.js';
import { Vectorize } from '../../worker/stages/vectorize.js';
import { TaskIntake } from '../../worker/task-intake.js';
import { TaskReporter } from '../../worker/task-reporter.js';
import { after, before, type Failpoint } from './failpoint.js';

const found = (_: unknown, rows: unknown): boolean => (Array.isArray(rows) ? rows.length > 0 : rows !== undefined);

const claims =
  (type: TaskType) =>
  (_: unknown, outcome: unknown): boolean =>
    (outcome as { task?: { taskType: TaskType } }).task?.taskType === type;

const reports =
  (type: TaskType) =>
  ([result]: readonly unknown[]): boolean =>
    (result as { run: { task: { taskType: TaskType } } }).run.task.taskType === type;

const ofBuild = ([given]: readonly unknown[]): boolean =>
  (Array.isArray(given) ? (given as { topic: string }[])[0] : (given as { topic: string }))?.topic === Topic.BuildIndex;

/** Places on the way of an upload and of a build through the API. */
export const apiFailpoints = {
  'upload: file placed': after(LocalFiles, 'put'),
  'upload: rows inserted, not committed': after(ParseTasks, 'start'),
  'upload: committed, not answered': after(ReceiveUpload, 'receive'),
  'build: rows inserted, not sent': after(BuildAcceptanceRepository, 'accept'),
  'build: sent, not committed': after(KafkaPublisher, 'publish', ofBuild),
  'build: committed, not answered': after(AcceptBuild, 'accept'),
} satisfies Record<string, Failpoint>;

/** Where a command is carried out, and nobody knows of it yet. */
export const commandFailpoints = {
  'rebuild: committed, not answered': after(AcceptRebuild, 'accept'),
  'retry: committed, not answered': after(RetryTask, 'retry'),
} satisfies Record<string, Failpoint>;

/** Places on the way of a parse through a worker, in order. */
export const parseFailpoints = {
  'parse: claimed': after(TaskLeaseRepository, 'claim', claims(TaskType.ParseDocument)),
  'parse: document marked, not committed': after(DocumentRepository, 'startParsing'),
  'parse: source read': after(DocumentParser, 'parse'),
  'parse: text inserted, not committed': after(DocumentTextRepository, 'save'),
  'parse: text stored': after(ContentParse, 'run'),
  'parse: plan proposed': after(PlanProposer, 'propose'),
  'parse: document finished, not committed': after(DocumentRepository, 'finishParsing'),
  'parse: plan inserted, not committed': after(StorePlan, 'store'),
  'parse: result stored': after(TaskReporter, 'report', reports(TaskType.ParseDocument)),
} satisfies Record<string, Failpoint>;

/** Places on the way of a build through a worker, in order. */
export const buildFailpoints = {
  'build: claimed': after(TaskLeaseRepository, 'claim', claims(TaskType.BuildIndex)),
  'build: handed over, message not acknowledged': after(TaskIntake, 'take', ofBuild),
  'build: steps marked, not committed': after(PlanRepository, 'markSteps'),
  'build: text cut': after(Chunker, 'cut'),
  'build: version opened, not committed': after(IndexVersionRepository, 'openFor'),
  'build: chunks inserted, not committed': after(ChunkRepository, 'insert'),
  'build: chunks stored': after(VersionWriter, 'writeChunks'),
  'build: counts recorded, not committed': after(IndexVersionRepository, 'recordCounts'),
  'build: cut and done': after(ChunkExecute, 'run'),
  'build: batch embedded': after(TransformersEmbedder, 'embed'),
  'build: vectors inserted, not committed': after(ChunkRepository, 'insertVectors'),
  'build: vectorized and done': after(Vectorize, 'run'),
  'build: version verified': after(ChunkRepository, 'storedCounts'),
  'build: version switched, not committed': after(IndexVersionRepository, 'activate'),
  'build: task ended, not committed': after(TaskLeaseRepository, 'release'),
  'build: result stored': after(TaskReporter, 'report', reports(TaskType.BuildIndex)),
} satisfies Record<string, Failpoint>;

/** Places in a round of the relay. */
export const relayFailpoints = {
  'relay: rows locked': after(OutboxRepository, 'lockDue', found),
  'relay: sent, not marked': before(OutboxRepository, 'markSent'),
  'relay: marked, not committed': after(OutboxRepository, 'markSent'),
} satisfies Record<string, Failpoint>;

/** Places in the timed passes. */
export const upkeepFailpoints = {
  'upkeep: lost task found': after(UpkeepRepository, 'expired', found),
  'upkeep: lost task taken back, not committed': after(UpkeepRepository, 'takeBack', found),
  'upkeep: unclaimed task marked, not sent': after(UpkeepRepository, 'takeUnclaimed', found),
  'upkeep: due retry marked, not sent': after(UpkeepRepository, 'takeDueRetries', found),
  'upkeep: old version found': after(IndexVersionRepository, 'droppable', found),
  'upkeep: old version emptied': before(IndexVersionRepository, 'forget'),
} satisfies Record<string, Failpoint>;

/** Every failpoint by its name. */
export const failpoints = {
  ...apiFailpoints,
  ...commandFailpoints,
  ...parseFailpoints,
  ...buildFailpoints,
  ...relayFailpoints,
  ...upkeepFailpoints,
};

export type FailpointName = keyof typeof failpoints;

/** The names of a group, in order. */
export function namesOf<T extends Partial<Record<FailpointName, Failpoint>>>(group: T): (keyof T & FailpointName)[] {
  return Object.keys(group) as (keyof T & FailpointName)[];
}
