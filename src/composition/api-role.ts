import { AcceptBuild } from '../builds/accept-build.js';
import { AcceptRebuild } from '../builds/accept-rebuild.js';
import { CancelBatch } from '../builds/cancel-batch.js';
import { CancelTask } from '../builds/cancel-task.js';
import { CheckBuild } from '../builds/check-build.js';
import { DeleteContent } from '../builds/delete-content.js';
import { DiscardDeadLetter } from '../builds/discard-dead-letter.js';
import { ReplayDeadLetter } from '../builds/replay-dead-letter.js';
import { RetryBatch } from '../builds/retry-batch.js';
import { RetryTask } from '../builds/retry-task.js';
import { SendGate } from '../builds/send-gate.js';
import { strategyCatalogue } from '../chunking/strategy-catalogue.js';
import type { AppConfig } from '../config/app-config.js';
import { ParseTasks } from '../documents/parse-tasks.js';
import { ReadDocuments } from '../documents/read-documents.js';
import { ReceiveUpload } from '../documents/receive-upload.js';
import { RenewDocument } from '../documents/renew-document.js';
import { defaultTenant } from '../domain/ids/id.js';
import { apiRoutes, type ApiParts } from '../http/api-routes.js';
import { createApplication } from '../http/application.js';
import { HttpServer } from '../http/http-server.js';
import { KeyedCalls } from '../http/idempotency/keyed-calls.js';
import { serviceLimits } from '../http/request-limits.js';
import { onlyModel } from '../knowledge-bases/available-models.js';
import { ChangeKnowledgeBase } from '../knowledge-bases/change-knowledge-base.js';
import { CreateKnowledgeBase } from '../knowledge-bases/create-knowledge-base.js';
import { ReadKnowledgeBases } from '../knowledge-bases/read-knowledge-bases.js';
import { ConfirmPlan } from '../plans/confirm-plan.js';
import type { Metrics } from '../metrics/metrics.js';
import { RequestMetrics } from '../metrics/request-metrics.js';
import { DryRun } from '../plans/dry-run.js';
import { EditPlan } from '../plans/edit-plan.js';
import { PlanProposer } from '../plans/plan-proposer.js';
import { localPace } from '../plans/preview/embedding-estimate.js';
import { PreviewPlan } from '../plans/preview-plan.js';
import { ReadPlans } from '../plans/read-plans.js';
import { RecommendPlan } from '../plans/recommend-plan.js';
import { StorePlan } from '../plans/store-plan.js';
import { ReadBatches } from '../progress/read-batches.js';
import { BaseFeeds } from '../progress/base-feeds.js';
import { EventPump } from '../progress/event-pump.js';
import { FollowEvents } from '../progress/follow-events.js';
import { ReadDeadLetters } from '../progress/read-dead-letters.js';
import { ReadTasks } from '../progress/read-tasks.js';
import { TaskFeeds } from '../progress/task-feeds.js';
import { TaskWatch } from '../progress/task-watch.js';
import { ExplainChunk } from '../search/explain-chunk.js';
import { QueryReader } from '../search/query-reader.js';
import { SearchChunks } from '../search/search-chunks.js';
import { buildRules } from './build-rules.js';
import { RunPass } from '../upkeep/run-pass.js';
import type { Ground } from './ground.js';
import type { Lifecycle } from './lifecycle.js';
import type { TextParts } from './text-parts.js';
import { upkeepPasses } from './upkeep-passes.js';

/** Starts the HTTP API; gives its address. @throws StartRefusal if it cannot listen there. */
export async function startApi(
  config: AppConfig,
  ground: Ground,
  text: TextParts,
  metrics: Metrics,
  lifecycle: Lifecycle,
): Promise<string> {
  const models = onlyModel(text.local.model.id);
  const createKnowledgeBase = new CreateKnowledgeBase(ground.database, ground.repositories.bases, models, ground.ids);
  await createKnowledgeBase.ensureDefault(defaultTenant);
  const limits = serviceLimits(config.http, text.terms.limits);
  const stopping = new AbortController();
  const log = lifecycle.logger.child({ part: 'http' });
  const application = createApplication({
    routes: apiRoutes({
      createKnowledgeBase,
      readKnowledgeBases: new ReadKnowledgeBases(ground.repositories.bases),
      changeKnowledgeBase: new ChangeKnowledgeBase(ground.repositories.bases, models),
      ...contentUse(config, ground),
      ...planningUse(config, ground, text),
      ...buildingUse(config, ground, text),
      ...batchUse(ground),
      ...searchingUse(ground, text),
      ...letterUse(config, ground),
      readWorkload: ground.workload,
      taskWatch: new TaskWatch(ground.signal),
      followEvents: await followingUse(config, ground, lifecycle),
      ...operatingUse(config, ground, text, lifecycle),
      limits,
      strategies: strategyCatalogue(text.terms.limits),
      probes: lifecycle.probes,
      metrics,
    }),
    limits,
    keyed: new KeyedCalls(ground.repositories.keys, log),
    log,
    observer: new RequestMetrics(metrics),
    stopping: stopping.signal,
  });
  const server = new HttpServer(application, { ...config.http, stopGraceMs: config.process.stopGraceMs }, stopping);
  lifecycle.add('http', () => server.stop());
  await server.start();
  return server.url;
}

function contentUse(
  config: AppConfig,
  ground: Ground,
): Pick<ApiParts, 'receiveUpload' | 'renewDocument' | 'deleteContent' | 'readDocuments' | 'readTasks'> {
  const { database, objects, ids, relay, repositories } = ground;
  const { documents, bases, tasks, logs, outbox, texts, chunkReads, commands, deletions, workers } = repositories;
  const { uploadBytes } = config.http;
  const options = { maxRetryCount: config.worker.maxRetryCount, onOutbox: () => relay.wake() };
  const parseTasks = new ParseTasks(tasks, logs, outbox, ids.clock, options);
  return {
    receiveUpload: new ReceiveUpload({ database, objects, documents, bases, parseTasks, ids }, uploadBytes),
    renewDocument: new RenewDocument({ database, objects, documents, commands, parseTasks, ids }, uploadBytes),
    deleteContent: new DeleteContent({ database, deletions, commands, tasks, logs, outbox, ids }, options),
    readDocuments: new ReadDocuments(documents, texts, chunkReads, objects),
    readTasks: new ReadTasks(tasks, logs, workers, ids.clock, config.worker.stalledAfterMs, ground.redis?.finished),
  };
}

function planningUse(
  config: AppConfig,
  { database, repositories, ids }: Ground,
  { chunker, terms }: TextParts,
): Pick<ApiParts, 'recommendPlan' | 'editPlan' | 'confirmPlan' | 'previewPlan' | 'readPlans'> {
  const { plans, texts } = repositories;
  const storing = new StorePlan(plans, ids);
  const dryRun = new DryRun(plans, texts, chunker, terms);
  return {
    recommendPlan: new RecommendPlan(database, plans, texts, new PlanProposer(chunker, terms), storing),
    editPlan: new EditPlan(database, plans, texts, chunker, storing, terms),
    confirmPlan: new ConfirmPlan(database, plans),
    previewPlan: new PreviewPlan(dryRun, terms, localPace(config.embedding.processes)),
    readPlans: new ReadPlans(plans),
  };
}

function buildingUse(
  config: AppConfig,
  { database, publisher, ids, repositories }: Ground,
  text: TextParts,
): Pick<ApiParts, 'acceptBuild' | 'checkBuild' | 'cancelTask' | 'retryTask'> {
  const { acceptances, tasks, commands } = repositories;
  const { judgePlan, freezeSpec } = buildRules(text);
  const gate = new SendGate(config.broker.sendsWaiting);
  return {
    acceptBuild: new AcceptBuild(
      { database, acceptances, tasks, publisher, gate, ids, judgePlan, freezeSpec },
      { sendDeadlineMs: config.broker.sendDeadlineMs, maxRetryCount: config.worker.maxRetryCount },
    ),
    checkBuild: new CheckBuild(database, acceptances, judgePlan),
    cancelTask: new CancelTask(database, commands),
    retryTask: new RetryTask(database, commands, publisher, config.broker.sendDeadlineMs),
  };
}

function letterUse(
  { broker: { sendDeadlineMs } }: AppConfig,
  { database, publisher, repositories }: Ground,
): Pick<ApiParts, 'readDeadLetters' | 'replayDeadLetter' | 'discardDeadLetter'> {
  const { letters, commands } = repositories;
  const retryTask = new RetryTask(database, commands, publisher, sendDeadlineMs);
  return {
    readDeadLetters: new ReadDeadLetters(letters),
    replayDeadLetter: new ReplayDeadLetter({ database, letters, commands, retryTask, publisher }, sendDeadlineMs),
    discardDeadLetter: new DiscardDeadLetter(letters),
  };
}

function batchUse({
  database,
  ids,
  repositories,
}: Ground): Pick<ApiParts, 'acceptRebuild' | 'readBatches' | 'cancelBatch' | 'retryBatch'> {
  const { batches, batchReads, bases, commands } = repositories;
  return {
    acceptRebuild: new AcceptRebuild({ database, batches, bases, ids }),
    readBatches: new ReadBatches(batchReads),
    cancelBatch: new CancelBatch(database, batches, batchReads, commands),
    retryBatch: new RetryBatch(database, batches, batchReads),
  };
}

function searchingUse(
  { repositories }: Ground,
  { counter, local, embedder, segmenter }: TextParts,
): Pick<ApiParts, 'searchChunks' | 'explainChunk'> {
  const { searches, chunkReads, texts } = repositories;
  const reader = new QueryReader(counter, local.model);
  return {
    searchChunks: new SearchChunks(searches, embedder, segmenter, reader),
    explainChunk: new ExplainChunk(chunkReads, texts),
  };
}

/** Streams end before the database closes under them: the server stops first, then what feeds them. */
async function followingUse(
  config: AppConfig,
  { repositories, ids, signal }: Ground,
  lifecycle: Lifecycle,
): Promise<FollowEvents> {
  const { feeds, tasks, bases } = repositories;
  const logger = lifecycle.logger.child({ part: 'events' });
  const adopted = await feeds.adoptForeignLines();
  if (adopted > 0) logger.info('log lines of another database server were taken over', { adopted });
  const pump = new EventPump(
    { tasks: new TaskFeeds(feeds, tasks, ids.clock), bases: new BaseFeeds(feeds), signal, logger },
    config.http.eventStreams,
  );
  lifecycle.add('event-pump', () => pump.stop());
  return new FollowEvents(feeds, bases, pump);
}

function operatingUse(
  config: AppConfig,
  ground: Ground,
  text: TextParts,
  lifecycle: Lifecycle,
): Pick<ApiParts, 'runPass' | 'reconcile'> {
  const { prompt, patient, reconcile } = upkeepPasses(config, ground, text, lifecycle.logger.child({ part: 'upkeep' }));
  return { runPass: new RunPass([...prompt, ...patient], ground.repositories.upkeep), reconcile };
}
