import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Id } from '../../domain/ids/id.js';
import { ApiClient, at, type Answer } from '../api-client.js';
import { CuttingProxy } from '../cutting-proxy.js';
import { FaultBench } from './fault-bench.js';
import { apiFailpoints, namesOf } from './failpoints.js';
import type { FaultyProcess } from './faulty-process.js';

/** Where an acceptance stands still while a test strikes what it depends on. */
const notSent = 'build: rows inserted, not sent';
const notCommitted = 'build: sent, not committed';

interface Planned {
  readonly documentId: Id;
  readonly planId: Id;
}

let bench: FaultBench;
let front: FaultyProcess;
/** Everything but the API. */
let back: FaultyProcess;
let api: ApiClient;
let proxy: CuttingProxy;
let behindProxy: FaultyProcess;
let copies = 0;

beforeAll(async () => {
  bench = await FaultBench.open();
  const { hostname, port } = new URL(bench.postgres.url);
  proxy = await CuttingProxy.to(hostname, Number(port));
  [back, behindProxy] = await Promise.all([
    bench.start('worker,relay,upkeep'),
    bench.start('api', { DATABASE_URL: bench.postgres.url.replace(port, String(proxy.port)) }),
    startFront(),
  ]);
}, 240_000);

afterAll(async () => {
  await bench.close();
  await proxy.close();
}, 60_000);

async function startFront(): Promise<void> {
  front = await bench.start('api');
  api = new ApiClient(front.service.baseUrl);
}

function planned(): Promise<Planned> {
  copies += 1;
  return api.confirmed(`accepting-${copies}.md`, `# Accepting ${copies}\n\nThe text of file ${copies}.\n`);
}

const build = ({ documentId, planId }: Planned, by = api): Promise<Answer> => by.build(documentId, planId);

const tasksOf = ({ documentId }: Planned): Promise<{ id: Id }[]> =>
  bench.database.query('select id from task where document_id = $1 and task_type = 2', [documentId]);

const indexStatus = async ({ documentId }: Planned): Promise<string> =>
  at((await api.get(`/documents/${documentId}`)).body, 'indexStatus.name');

/** Asks as a client does that was told to try again. */
async function acceptedAgain(document: Planned): Promise<Id> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { status, body } = await build(document);
    if (status === 202) return at<Id>(body, 'taskId');
    expect(status).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  throw new Error('no build was accepted although everything is back');
}

/** The fault left nothing behind, and the same process takes the build now. */
async function worksAgain(document: Planned): Promise<void> {
  expect(await tasksOf(document)).toEqual([]);
  const taskId = await acceptedAgain(document);
  bench.accepted.push(taskId);
  expect(at(await api.ended(taskId), 'taskStatus.name')).toBe('SUCCESS');
  expect(await tasksOf(document)).toEqual([{ id: taskId }]);
  expect(await bench.violations()).toEqual([]);
}

/** A build that stands still at a failpoint, and its answer. */
async function heldAt(
  name: typeof notSent | typeof notCommitted,
  document: Planned,
  at = front,
): Promise<{ answer: Promise<Answer> }> {
  at.arm(name, 'hold');
  const answer = build(document, new ApiClient(at.service.baseUrl));
  await at.reached(name);
  return { answer };
}

describe('an API that is killed', () => {
  it.each(namesOf(apiFailpoints))(
    '%s: a client that asks again gets one document, built once',
    async (name) => {
      copies += 1;
      const text = `# Killed ${copies}\n\nThe text of file ${copies}.\n`;
      front.arm(name);
      const answered = api
        .confirmed(`killed-${copies}.md`, text)
        .then((document) => build(document))
        .then(() => true)
        .catch(() => false);
      await front.reached(name);
      expect(await answered).toBe(false);
      await startFront();
      const document = await api.confirmed(`killed-${copies}.md`, text);
      const again = await build(document);
      if (again.status === 202) bench.accepted.push(at<Id>(again.body, 'taskId'));
      else expect([again.status, again.body['code']]).toEqual([409, 'BUILD_IN_PROGRESS']);
      expect(await bench.violations()).toEqual([]);
      expect(await indexStatus(document)).toBe('BUILT');
      const copiesOfIt = await bench.database.query('select 1 from document where file_name = $1', [
        `killed-${copies}.md`,
      ]);
      expect(copiesOfIt).toHaveLength(1);
    },
    120_000,
  );
});

describe('a broker', () => {
  it('that is dead has builds refused, and none of them is left behind', async () => {
    const document = await planned();
    await bench.kafka.kill();
    const refused = await build(document);
    expect([refused.status, refused.body['code']]).toEqual([503, 'BROKER_UNAVAILABLE']);
    expect(await indexStatus(document)).toBe('WAIT_BUILD');
    await bench.kafka.start();
    await worksAgain(document);
  }, 120_000);

  it('that hangs holds up builds only; what it stored all the same creates no work', async () => {
    const documents = await Promise.all(Array.from({ length: 5 }, planned));
    bench.kafka.hang();
    const builds = Array.from({ length: 50 }, (_, i) => build(documents[i % documents.length] as Planned));
    // While builds wait for the broker, everything else answers.
    expect((await api.get('/health/live')).status).toBe(200);
    for (const document of documents) expect(await indexStatus(document)).toBe('WAIT_BUILD');
    for (const refused of await Promise.all(builds)) {
      expect([refused.status, refused.body['code']]).toEqual([503, 'BROKER_UNAVAILABLE']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    bench.kafka.wake();
    for (const document of documents) await worksAgain(document);
  }, 120_000);
});

describe('a database', () => {
  it('that crashes in the middle leaves nothing half written, and the same process goes on when it is back', async () => {
    const document = await planned();
    const { answer } = await heldAt(notSent, document);
    await bench.postgres.crash();
    front.release(notSent);
    expect((await answer).status).toBe(503);
    await bench.postgres.restart();
    await worksAgain(document);
  }, 120_000);

  it('that ends the session after the send leaves a message that creates no work', async () => {
    const document = await planned();
    const { answer } = await heldAt(notCommitted, document);
    await bench.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`,
    );
    front.release(notCommitted);
    expect((await answer).status).toBe(503);
    await worksAgain(document);
  }, 120_000);

  it('that refuses the commit leaves a message that creates no work', async () => {
    const document = await planned();
    await bench.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    );
    await bench.database.query(
      `create constraint trigger refuse after insert on task deferrable initially deferred
         for each row execute function refuse()`,
    );
    expect((await build(document)).status).toBe(500);
    await bench.database.query('drop function refuse cascade');
    await worksAgain(document);
  }, 120_000);

  it('whose answer to the commit is lost has accepted the build, and the caller is told so', async () => {
    const document = await planned();
    const { answer } = await heldAt(notCommitted, document, behindProxy);
    proxy.swallowAnswerTo('COMMIT');
    behindProxy.release(notCommitted);
    const { status, body } = await answer;
    expect(status).toBe(202);
    bench.accepted.push(at<Id>(body, 'taskId'));
    expect(await tasksOf(document)).toEqual([{ id: at<Id>(body, 'taskId') }]);
    expect(await bench.violations()).toEqual([]);
  }, 120_000);
});

it('a message that is read before its task is committed still leads to its work', async () => {
  const document = await planned();
  await bench.settle();
  const { answer } = await heldAt(notCommitted, document);
  // The consumer has looked for the task in vain, and is done with the message.
  await bench.settle();
  expect(await tasksOf(document)).toEqual([]);
  front.release(notCommitted);
  const { status, body } = await answer;
  expect(status).toBe(202);
  bench.accepted.push(at<Id>(body, 'taskId'));
  expect(at(await api.ended(at(body, 'taskId')), 'taskStatus.name')).toBe('SUCCESS');
  expect(await bench.violations()).toEqual([]);
}, 120_000);

it('two processes that are asked twenty times at once for one document accept it once', async () => {
  const document = await planned();
  const other = new ApiClient(behindProxy.service.baseUrl);
  // Nobody works on the one that is accepted: once it was built, the next would rightly be accepted, too.
  back.service.signal('SIGSTOP');
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => build(document, i % 2 === 0 ? api : other)));
  back.service.signal('SIGCONT');
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(1);
  for (const refused of answers.filter(({ status }) => status !== 202)) {
    expect([409, 503]).toContain(refused.status);
    if (refused.status === 409) expect(refused.body['taskId']).toBe(accepted[0]?.body['taskId']);
  }
  bench.accepted.push(at<Id>((accepted[0] as Answer).body, 'taskId'));
  expect(await bench.violations()).toEqual([]);
}, 120_000);
