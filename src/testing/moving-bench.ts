import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../database/database.js';
import type { Id } from '../domain/ids/id.js';
import { topics } from '../messaging/topic.js';
import { ApiClient, at } from './api-client.js';
import { KafkaTestBroker } from './contract/kafka-broker.js';
import { StreamsTestBroker } from './contract/streams-broker.js';
import { copyConfirmed } from './copied-documents.js';
import { checkInvariants } from './faults/check-invariants.js';
import type { Violation } from './faults/violation.js';
import { OwnRedis } from './own-redis.js';
import { ServiceProcess } from './service-process.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';

/** Builds that are asked for at once. */
const clients = 6;
const waitMs = 200_000;
const text = '# The sluice\n\nThe keeper closes the lower sluice by hand when the amber lamp is lit.\n';

/** A database, Redis and Kafka, on which processes of either broker run, and move from one to the other. */
export class MovingBench {
  /** Tasks that were accepted. */
  readonly accepted: Id[] = [];
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'indexwright-moving-'));
  private readonly processes: ServiceProcess[] = [];
  private nextId = 1_000;

  private constructor(
    private readonly test: TestDatabase,
    readonly redis: OwnRedis,
    readonly kafka: KafkaTestBroker,
    readonly streams: StreamsTestBroker,
  ) {}

  static async open(): Promise<MovingBench> {
    const [test, redis] = await Promise.all([openTestDatabase({ on: 'postgres' }), OwnRedis.create({ keeps: true })]);
    const kafka = await KafkaTestBroker.open();
    return new MovingBench(test, redis, kafka, await StreamsTestBroker.open(redis.url, kafka.options.prefix));
  }

  get database(): Database {
    return this.test.database;
  }

  /**
   * No worker looks for tasks by itself: only a message leads to a build. One goes missing with a worker that is stopped
   * while it waits for the commit that the message was faster than; upkeep sends that one again, later than the others need.
   */
  async start(roles: string, env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const process = ServiceProcess.launch({
      ROLES: roles,
      DATABASE_URL: (this.test.connection.address as { connectionString: string }).connectionString,
      DATA_DIR: this.dataDir,
      KAFKA_BROKERS: this.kafka.options.brokers.join(','),
      REDIS_URL: this.redis.url,
      TOPIC_PREFIX: this.kafka.options.prefix,
      EMBEDDING_PROCESSES: '1',
      // Small builds wait for the disk more than they work.
      INDEX_SLOTS: '4',
      // What a held build waits in.
      DATABASE_STATEMENT_TIMEOUT_MS: '300000',
      FIND_AFTER_MS: '600000',
      RESEND_AFTER_MS: '60000',
      ...env,
    });
    this.processes.push(process);
    await process.ready();
    return process;
  }

  /** Resolves when a process has said something. */
  async heard(process: ServiceProcess, words: string): Promise<void> {
    const deadline = Date.now() + waitMs;
    while (!process.text.includes(words)) {
      if (Date.now() > deadline) throw new Error(`nobody said "${words}"\n${process.text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** So many documents that can be built. */
  async documents(front: ServiceProcess, count: number): Promise<Id[]> {
    const model = await new ApiClient(front.baseUrl).confirmed(
      `sluice-${this.nextId}.md`,
      text + '\n'.repeat(this.nextId),
    );
    const ids = await copyConfirmed(this.database, model, { copies: count, firstId: this.nextId });
    this.nextId += count;
    return ids;
  }

  /** Has documents built by the processes in turn; resolves when all are accepted. */
  async build(documentIds: readonly Id[], fronts: readonly ServiceProcess[]): Promise<void> {
    const rest = documentIds.map((id, n) => ({ id, api: new ApiClient(fronts[n % fronts.length]!.baseUrl) }));
    const ask = async (): Promise<void> => {
      for (let next = rest.shift(); next; next = rest.shift()) {
        const { status, body } = await next.api.build(next.id, next.id);
        if (status !== 202) throw new Error(`a build was answered with ${status}: ${JSON.stringify(body)}`);
        this.accepted.push(at<Id>(body, 'taskId'));
      }
    };
    await Promise.all(Array.from({ length: clients }, ask));
  }

  /** Lets no build get on until the function that it gives is called. */
  async hold(): Promise<() => Promise<void>> {
    const runner = this.test.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('set local idle_in_transaction_session_timeout = 0');
    await runner.query('lock table chunk in share mode');
    return async () => {
      await runner.rollbackTransaction();
      await runner.release();
    };
  }

  /** How many of the documents' builds the worker that still runs in a process has claimed. */
  async claimsBy(process: ServiceProcess, documentIds: readonly Id[]): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from task_log l join task t on t.id = l.task_id
        where l.event = 'CLAIMED' and t.document_id = any($2)
          and l.metadata->>'worker' = (select id::text from worker where pid = $1)`,
      [process.pid, documentIds],
    );
    return row?.count ?? 0;
  }

  /** Builds among the accepted that have not ended. */
  async open(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      'select count(*)::int as count from task where id = any($1) and task_status in (1, 2, 5)',
      [this.accepted],
    );
    return row?.count ?? 0;
  }

  /**
   * Resolves when every build has ended and every message was read.
   *
   * @param unreadIn messages that lie where is looked, which is both brokers unless one is dead
   * @throws Error with what was not.
   */
  async settle(unreadIn = () => this.unread()): Promise<void> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const [open, unread] = [await this.open(), await unreadIn()];
      if (open === 0 && unread === 0) return;
      if (Date.now() > deadline) {
        throw new Error(`${open} builds have not ended, ${unread} messages are not read\n${this.said()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Messages that lie in Redis. */
  async left(): Promise<number> {
    const counts = await Promise.all(topics.map((topic) => this.streams.stored(topic)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Messages that lie in either broker. */
  private async unread(): Promise<number> {
    return (await this.kafka.unread()) + (await this.left());
  }

  /** What does not hold once all is settled. */
  async violations(): Promise<Violation[]> {
    const deadLetters = (await this.kafka.deadLetters()).map(({ headers }) => headers);
    return checkInvariants(this.database, { accepted: this.accepted, unread: await this.unread(), deadLetters });
  }

  /** Accepted builds that did not switch and succeed exactly once, or do not serve the same chunks as the first. */
  notExactlyOnce(): Promise<unknown[]> {
    return this.database.query(
      `with built as (
         select t.id, t.document_id, t.task_status as status, t.attempt, t.error,
                (select array_agg(l.event order by l.id) from task_log l where l.task_id = t.id) as events,
                (select count(*) from index_version v where v.document_id = t.document_id and v.state = 2) as served,
                (select string_agg(c.level || c.ordinal || c.content, '' order by c.level, c.ordinal)
                   from chunk c join document d on d.active_version_id = c.version_id
                  where d.id = t.document_id) as chunks
           from task t where t.id = any($1))
       select * from built
        where status <> 3 or served <> 1
           or cardinality(array_positions(events, 'SWITCHED')) <> 1
           or cardinality(array_positions(events, 'SUCCESS')) <> 1
           or chunks is distinct from (select chunks from built where id = $2)`,
      [this.accepted, this.accepted[0]],
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.stop()));
    // The streams go with their server, which a test may have left dead.
    await this.streams.publisher.stop();
    await this.kafka.close();
    await this.redis.remove();
    await this.test.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private said(): string {
    return this.processes.map(({ text }) => text.slice(-2_000)).join('\n');
  }
}
