import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalFiles } from '../adapters/local-files/local-files.js';
import { AcceptBuild } from '../builds/accept-build.js';
import { AcceptRebuild } from '../builds/accept-rebuild.js';
import { CancelBatch } from '../builds/cancel-batch.js';
import { CancelTask } from '../builds/cancel-task.js';
import { DeleteContent } from '../builds/delete-content.js';
import { DiscardDeadLetter } from '../builds/discard-dead-letter.js';
import { ReplayDeadLetter } from '../builds/replay-dead-letter.js';
import { RetryBatch } from '../builds/retry-batch.js';
import { RetryTask } from '../builds/retry-task.js';
import { CheckBuild } from '../builds/check-build.js';
import { freezeUnder } from '../builds/freeze-spec.js';
import { SendGate } from '../builds/send-gate.js';
import { repositoriesOn } from '../composition/repositories.js';
import type { Database } from '../database/database.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import { ReadDocuments } from '../documents/read-documents.js';
import { ParseTasks } from '../documents/parse-tasks.js';
import { RenewDocument } from '../documents/renew-document.js';
import { ReceiveUpload } from '../documents/receive-upload.js';
import { systemClock } from '../domain/clock.js';
import { KeyedCalls, type KeyedCallTimes } from '../http/idempotency/keyed-calls.js';
import type { Route } from '../http/route.js';
import { batchRoutes } from '../http/routes/batch-routes.js';
import { adminRoutes } from '../http/routes/admin-routes.js';
import { buildRoutes } from '../http/routes/build-routes.js';
import type { DeadLetterUseCases } from '../http/routes/dead-letter-routes.js';
import { documentRoutes } from '../http/routes/document-routes.js';
import { eventRoutes } from '../http/routes/event-routes.js';
import { knowledgeBaseRoutes } from '../http/routes/knowledge-base-routes.js';
import { taskRoutes } from '../http/routes/task-routes.js';
import { silentLogger } from '../logging/logger.js';
import { onlyModel } from '../knowledge-bases/available-models.js';
import { ChangeKnowledgeBase } from '../knowledge-bases/change-knowledge-base.js';
import { CreateKnowledgeBase } from '../knowledge-bases/create-knowledge-base.js';
import { ReadKnowledgeBases } from '../knowledge-bases/read-knowledge-bases.js';
import { PlanExecutable } from '../plans/plan-executable.js';
import { BaseFeeds } from '../progress/base-feeds.js';
import { EventPump } from '../progress/event-pump.js';
import { FollowEvents } from '../progress/follow-events.js';
import { InProcessSignal } from '../progress/in-process-signal.js';
import { ReadBatches } from '../progress/read-batches.js';
import { ChorePass } from '../upkeep/chore-pass.js';
import { driftKinds } from '../upkeep/drift/drift-kinds.js';
import { Reconcile } from '../upkeep/reconcile.js';
import { RunPass } from '../upkeep/run-pass.js';
import { ReadDeadLetters } from '../progress/read-dead-letters.js';
import { ReadWorkload } from '../progress/read-workload.js';
import { ReadTasks } from '../progress/read-tasks.js';
import { TaskFeeds } from '../progress/task-feeds.js';
import { TaskWatch } from '../progress/task-watch.js';
import type { ProgressSignal } from '../progress/progress-signal.js';
import { testIds, testLimits, testModel } from './factories.js';
import { HttpTestServer } from './http-test-server.js';
import { ScriptedConsumers } from './scripted-consumer.js';
import { ScriptedPublisher } from './scripted-publisher.js';
import { openBeside, openTestDatabase, type TestDatabase, type TestDatabaseKind } from './test-database.js';

/** The part of the API that needs neither model nor worker, on a database and a folder of its own. */
export interface HttpApi {
  readonly server: HttpTestServer;
  readonly test: TestDatabase;
  /** What carries the messages unless `openPublisher` gave something else. */
  readonly publisher: ScriptedPublisher;
  readonly consumers: ScriptedConsumers;
  /** Of a broker that is drained. */
  readonly drained: ScriptedConsumers;
  readonly signal: ProgressSignal;
  /** Of the stored sources. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface HttpApiOptions {
  readonly on?: TestDatabaseKind;
  /** Another instance, whose database and folder this one shares, as a second process would. */
  readonly beside?: HttpApi;
  readonly keyTimes?: KeyedCallTimes;
  /** Opens what carries the messages of this instance; by script if absent. */
  readonly openPublisher?: (test: TestDatabase) => Promise<MessagePublisher>;
  /** Event streams that may be open at once. */
  readonly mostStreams?: number;
}

const maxRetryCount = 3;
const stalledAfterMs = 60_000;

export async function startHttpApi(options: HttpApiOptions = {}): Promise<HttpApi> {
  const { on = 'postgres', beside, keyTimes, mostStreams = 10 } = options;
  const test = await (beside ? openBeside(beside.test) : openTestDatabase({ on }));
  const folder = beside?.folder ?? (await mkdtemp(join(tmpdir(), 'indexwright-api-')));
  const objects = new LocalFiles(folder);
  await objects.start();
  const scripted = new ScriptedPublisher();
  const publisher = (await options.openPublisher?.(test)) ?? scripted;
  const consumers = new ScriptedConsumers();
  const drained = new ScriptedConsumers();
  const signal = new InProcessSignal(true);
  test.database.onTaskChange((change) => signal.announce(change));
  const keyed = new KeyedCalls(repositoriesOn(test.database, testIds).keys, silentLogger, keyTimes);
  const pump = pumpOn(test, signal, mostStreams);
  const routes = [
    ...baseRoutes(test),
    ...contentRoutes(test, objects),
    ...workRoutes(test, publisher, signal),
    ...operatingRoutes(test, objects, publisher, {
      current: { name: 'kafka', consumers },
      drained: [{ name: 'redis', consumers: drained }],
    }),
    ...batchesRoutes(test),
    ...followingRoutes(test, pump),
  ];
  const server = await HttpTestServer.start(routes, { keyed });
  return {
    server,
    test,
    publisher: scripted,
    consumers,
    drained,
    signal,
    folder,
    stop: async () => {
      await server.stop();
      await pump.stop();
      await test.close();
      if (!beside) await rm(folder, { recursive: true, force: true });
    },
  };
}

function baseRoutes({ database }: TestDatabase): readonly Route[] {
  const { bases, tasks, logs, outbox, commands, deletions, workers } = repositoriesOn(database, testIds);
  const models = onlyModel(testModel.id);
  return knowledgeBaseRoutes({
    deleteContent: new DeleteContent(
      { database, deletions, commands, tasks, logs, outbox, ids: testIds },
      { maxRetryCount, onOutbox: () => undefined },
    ),
    readTasks: new ReadTasks(tasks, logs, workers, systemClock, stalledAfterMs),
    createKnowledgeBase: new CreateKnowledgeBase(database, bases, models, testIds),
    readKnowledgeBases: new ReadKnowledgeBases(bases),
    changeKnowledgeBase: new ChangeKnowledgeBase(bases, models),
  });
}

function contentRoutes({ database }: TestDatabase, objects: LocalFiles): readonly Route[] {
  const repositories = repositoriesOn(database, testIds);
  const { documents, bases, tasks, logs, outbox, texts, chunkReads, commands, deletions, workers } = repositories;
  const options = { maxRetryCount, onOutbox: () => undefined };
  const parseTasks = new ParseTasks(tasks, logs, outbox, systemClock, options);
  return documentRoutes({
    receiveUpload: new ReceiveUpload({ database, objects, documents, bases, parseTasks, ids: testIds }, 1_000_000),
    renewDocument: new RenewDocument({ database, objects, documents, commands, parseTasks, ids: testIds }, 1_000_000),
    deleteContent: new DeleteContent({ database, deletions, commands, tasks, logs, outbox, ids: testIds }, options),
    readDocuments: new ReadDocuments(documents, texts, chunkReads, objects),
    readTasks: new ReadTasks(tasks, logs, workers, systemClock, stalledAfterMs),
  });
}

function workRoutes({ database }: TestDatabase, publisher: MessagePublisher, signal: ProgressSignal): readonly Route[] {
  const { acceptances, tasks, logs, commands, workers } = repositoriesOn(database, testIds);
  const executable = new PlanExecutable({ limits: testLimits, maxSteps: 20 });
  const judgePlan = executable.problemsOf.bind(executable);
  const freezeSpec = freezeUnder({ limits: testLimits, model: testModel, segmenterVersion: 1 });
  const acceptBuild = new AcceptBuild(
    { database, acceptances, tasks, publisher, gate: new SendGate(4), ids: testIds, judgePlan, freezeSpec },
    { sendDeadlineMs: 1_000, maxRetryCount },
  );
  return [
    ...buildRoutes({ acceptBuild, checkBuild: new CheckBuild(database, acceptances, judgePlan) }),
    ...taskRoutes({
      readTasks: new ReadTasks(tasks, logs, workers, systemClock, stalledAfterMs),
      taskWatch: new TaskWatch(signal),
      cancelTask: new CancelTask(database, commands),
      retryTask: new RetryTask(database, commands, publisher, 1_000),
    }),
  ];
}

function batchesRoutes({ database }: TestDatabase): readonly Route[] {
  const { batches, batchReads, bases, commands } = repositoriesOn(database, testIds);
  return batchRoutes({
    acceptRebuild: new AcceptRebuild({ database, batches, bases, ids: testIds }),
    readBatches: new ReadBatches(batchReads),
    cancelBatch: new CancelBatch(database, batches, batchReads, commands),
    retryBatch: new RetryBatch(database, batches, batchReads),
  });
}

function operatingRoutes(
  { database }: TestDatabase,
  objects: LocalFiles,
  publisher: MessagePublisher,
  brokers: ConstructorParameters<typeof ReadWorkload>[2],
): readonly Route[] {
  const repositories = repositoriesOn(database, testIds);
  const { queues, workers, upkeep } = repositories;
  const kinds = driftKinds(
    { ...repositories, database, objects, ids: testIds },
    { maxRetryCount, resendAfterMs: 15_000, fileSafeAgeMs: 86_400_000, onOutbox: () => undefined },
  );
  return adminRoutes({
    ...letterUse(database, publisher),
    readWorkload: new ReadWorkload(queues, workers, brokers),
    runPass: new RunPass([new ChorePass('stale-building', kinds.buildingWithoutTask, silentLogger, 1)], upkeep),
    reconcile: new Reconcile(kinds.all, upkeep, silentLogger),
  });
}

function letterUse(database: Database, publisher: MessagePublisher): DeadLetterUseCases {
  const { letters, commands } = repositoriesOn(database, testIds);
  const retryTask = new RetryTask(database, commands, publisher, 1_000);
  return {
    readDeadLetters: new ReadDeadLetters(letters),
    replayDeadLetter: new ReplayDeadLetter({ database, letters, commands, retryTask, publisher }, 1_000),
    discardDeadLetter: new DiscardDeadLetter(letters),
  };
}

function pumpOn({ database }: TestDatabase, signal: ProgressSignal, mostStreams: number): EventPump {
  const { feeds, tasks } = repositoriesOn(database, testIds);
  const readers = { tasks: new TaskFeeds(feeds, tasks, systemClock), bases: new BaseFeeds(feeds) };
  return new EventPump({ ...readers, signal, logger: silentLogger }, mostStreams);
}

function followingRoutes({ database }: TestDatabase, pump: EventPump): readonly Route[] {
  const { feeds, bases } = repositoriesOn(database, testIds);
  return eventRoutes({ followEvents: new FollowEvents(feeds, bases, pump) });
}
