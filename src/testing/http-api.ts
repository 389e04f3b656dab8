import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalFiles } from '../adapters/local-files/local-files.js';
import { AcceptBuild } from '../builds/accept-build.js';
import { CheckBuild } from '../builds/check-build.js';
import { freezeUnder } from '../builds/freeze-spec.js';
import { SendGate } from '../builds/send-gate.js';
import { repositoriesOn } from '../composition/repositories.js';
import { ReadDocuments } from '../documents/read-documents.js';
import { ReceiveUpload } from '../documents/receive-upload.js';
import { systemClock } from '../domain/clock.js';
import type { Route } from '../http/route.js';
import { buildRoutes } from '../http/routes/build-routes.js';
import { documentRoutes } from '../http/routes/document-routes.js';
import { knowledgeBaseRoutes } from '../http/routes/knowledge-base-routes.js';
import { taskRoutes } from '../http/routes/task-routes.js';
import { onlyModel } from '../knowledge-bases/available-models.js';
import { ChangeKnowledgeBase } from '../knowledge-bases/change-knowledge-base.js';
import { CreateKnowledgeBase } from '../knowledge-bases/create-knowledge-base.js';
import { ReadKnowledgeBases } from '../knowledge-bases/read-knowledge-bases.js';
import { PlanExecutable } from '../plans/plan-executable.js';
import { ReadTasks } from '../progress/read-tasks.js';
import { testIds, testLimits, testModel } from './factories.js';
import { HttpTestServer } from './http-test-server.js';
import { ScriptedPublisher } from './scripted-publisher.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';

/** The part of the API that needs neither model nor worker, on a database and a folder of its own. */
export interface HttpApi {
  readonly server: HttpTestServer;
  readonly test: TestDatabase;
  readonly publisher: ScriptedPublisher;
  stop(): Promise<void>;
}

const maxRetryCount = 3;

export async function startHttpApi(): Promise<HttpApi> {
  const test = await openTestDatabase({ on: 'postgres' });
  const folder = await mkdtemp(join(tmpdir(), 'indexwright-api-'));
  const objects = new LocalFiles(folder);
  await objects.start();
  const publisher = new ScriptedPublisher();
  const server = await HttpTestServer.start([
    ...baseRoutes(test),
    ...contentRoutes(test, objects),
    ...workRoutes(test, publisher),
  ]);
  return {
    server,
    test,
    publisher,
    stop: async () => {
      await server.stop();
      await test.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function baseRoutes({ database }: TestDatabase): readonly Route[] {
  const { bases } = repositoriesOn(database, testIds);
  const models = onlyModel(testModel.id);
  return knowledgeBaseRoutes({
    createKnowledgeBase: new CreateKnowledgeBase(bases, models, testIds),
    readKnowledgeBases: new ReadKnowledgeBases(bases),
    changeKnowledgeBase: new ChangeKnowledgeBase(bases, models),
  });
}

function contentRoutes({ database }: TestDatabase, objects: LocalFiles): readonly Route[] {
  const { documents, bases, tasks, logs, outbox, texts, chunkReads } = repositoriesOn(database, testIds);
  return documentRoutes({
    receiveUpload: new ReceiveUpload(
      { database, objects, documents, bases, tasks, logs, outbox, ids: testIds },
      { uploadBytes: 1_000_000, maxRetryCount, onOutbox: () => undefined },
    ),
    readDocuments: new ReadDocuments(documents, texts, chunkReads, objects),
    readTasks: new ReadTasks(tasks, logs, systemClock),
  });
}

function workRoutes({ database }: TestDatabase, publisher: ScriptedPublisher): readonly Route[] {
  const { acceptances, tasks, logs } = repositoriesOn(database, testIds);
  const executable = new PlanExecutable({ limits: testLimits, maxSteps: 20 });
  const judgePlan = executable.problemsOf.bind(executable);
  const freezeSpec = freezeUnder({ limits: testLimits, model: testModel, segmenterVersion: 1 });
  const acceptBuild = new AcceptBuild(
    { database, acceptances, tasks, publisher, gate: new SendGate(4), ids: testIds, judgePlan, freezeSpec },
    { sendDeadlineMs: 1_000, maxRetryCount },
  );
  return [
    ...buildRoutes({ acceptBuild, checkBuild: new CheckBuild(database, acceptances, judgePlan) }),
    ...taskRoutes({ readTasks: new ReadTasks(tasks, logs, systemClock) }),
  ];
}
