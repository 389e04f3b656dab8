import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { postgresConnection } from '../../database/connection.js';
import { createDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { migrate } from '../../database/migrate.js';
import type { Id } from '../../domain/ids/id.js';
import { silentLogger } from '../../logging/logger.js';
import { KafkaTestBroker } from '../contract/kafka-broker.js';
import { OwnKafka } from '../contract/own-kafka.js';
import { OwnPostgres, type OwnPostgresOptions } from '../own-postgres.js';
import { checkInvariants } from './check-invariants.js';
import { FaultyProcess, programWithFailpoints } from './faulty-process.js';
import type { Violation } from './violation.js';

const settleWithinMs = 90_000;
const poolSize = 5;

/** A database and a broker of its own, the processes that a suite starts on them, and the checker for the end. */
export class FaultBench {
  /** Tasks whose calls were answered with 2xx. */
  readonly accepted: Id[] = [];
  private readonly processes = new Set<FaultyProcess>();

  private constructor(
    readonly postgres: OwnPostgres,
    readonly kafka: OwnKafka,
    readonly broker: KafkaTestBroker,
    private readonly source: DataSource,
    readonly database: Database,
    readonly dataDir: string,
    private readonly program: string,
  ) {}

  static async open(options: OwnPostgresOptions = {}): Promise<FaultBench> {
    const [postgres, kafka] = await Promise.all([OwnPostgres.start(options), OwnKafka.create()]);
    await kafka.start();
    const broker = await KafkaTestBroker.open([kafka.address]);
    const connection = postgresConnection(postgres.url, poolSize);
    await migrate(connection, silentLogger);
    const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 30_000, idleInTransactionMs: 60_000 };
    const source = createDataSource(connection, limits, silentLogger);
    await source.initialize();
    const program = await programWithFailpoints();
    const dataDir = await mkdtemp(join(tmpdir(), 'indexwright-faults-'));
    return new FaultBench(postgres, kafka, broker, source, new Database(source, connection), dataDir, program);
  }

  /** Resolves when the process is ready. Waits are short, so that a lost process is noticed soon. */
  async start(roles: string, more: Readonly<Record<string, string>> = {}): Promise<FaultyProcess> {
    const env = {
      ROLES: roles,
      DATABASE_URL: this.postgres.url,
      BROKER: 'kafka',
      KAFKA_BROKERS: this.kafka.address,
      TOPIC_PREFIX: this.broker.options.prefix,
      DATA_DIR: this.dataDir,
      LEASE_MS: '2000',
      RESEND_AFTER_MS: '3000',
      UPKEEP_INTERVAL_MS: '300',
      RELAY_INTERVAL_MS: '200',
      RETRY_DELAY_MS: '200',
      RETRY_DELAY_MAX_MS: '2000',
      MAX_RETRY_COUNT: '20',
      EMBED_BATCH: '4',
      EMBEDDING_PROCESSES: '1',
      LOG_LEVEL: 'warn',
      ...more,
    };
    const launched = FaultyProcess.launch(env, this.program);
    this.processes.add(launched);
    await launched.service.ready();
    return launched;
  }

  /** Takes locks on a connection of its own, until the function that it gives is called. */
  async hold(statement: string, parameters: readonly unknown[]): Promise<() => Promise<void>> {
    const runner = this.source.createQueryRunner();
    await runner.startTransaction();
    await runner.query(statement, [...parameters]);
    return async () => {
      await runner.rollbackTransaction();
      await runner.release();
    };
  }

  /** Resolves when every task has ended, and every message is sent and acknowledged. @throws Error with what has not. */
  async settle(): Promise<void> {
    const deadline = Date.now() + settleWithinMs;
    for (;;) {
      const open = await this.unsettled();
      if (open.length === 0) return;
      if (Date.now() > deadline) throw new Error(`did not settle: ${JSON.stringify(open)}\n${this.said()}`);
      await pause(100);
    }
  }

  /** Waits for the end of all work, and gives what does not hold then. */
  async violations(): Promise<Violation[]> {
    await this.settle();
    const deadLetters = (await this.broker.deadLetters()).map(({ headers }) => headers);
    return checkInvariants(this.database, { accepted: this.accepted, unread: 0, deadLetters });
  }

  async close(): Promise<void> {
    this.kafka.wake();
    for (const each of this.processes) await each.kill();
    await this.source.destroy();
    await this.broker.close();
    await this.kafka.remove();
    await this.postgres.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async unsettled(): Promise<unknown[]> {
    const rows = await this.database.query<Record<string, unknown>>(
      `select id, task_type, task_status, current_stage, attempt, error from task where task_status in (1, 2, 5)
       union all
       select id, null, status, null, tries, to_jsonb(last_error) from outbox where status = 1`,
    );
    if (rows.length > 0) return rows;
    // A broker that is just coming back says of some partitions that it does not lead them yet.
    const unread = await this.broker.unread().catch((error: unknown) => String(error));
    return unread === 0 ? [] : [{ unread }];
  }

  private said(): string {
    return [...this.processes].map(({ service }) => service.text.slice(-2_000)).join('\n');
  }
}
