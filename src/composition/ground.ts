import { join, resolve } from 'node:path';
import { LocalFiles } from '../adapters/local-files/local-files.js';
import type { AppConfig } from '../config/app-config.js';
import type { Database } from '../database/database.js';
import { NodeLease } from '../database/node-lease.js';
import { ensureVectorTable } from '../database/vector-tables.js';
import { systemClock } from '../domain/clock.js';
import type { MessageConsumers } from '../messaging/message-consumer.js';
import type { MessagePublisher } from '../messaging/message-publisher.js';
import type { Metrics } from '../metrics/metrics.js';
import { OutboxRelay } from '../messaging/outbox-relay.js';
import { InProcessSignal } from '../progress/in-process-signal.js';
import type { ProgressSignal } from '../progress/progress-signal.js';
import { ReadWorkload } from '../progress/read-workload.js';
import type { Lifecycle } from './lifecycle.js';
import { openDatabase } from './open-database.js';
import { openRedis, type RedisParts } from './open-redis.js';
import { repositoriesOn, type Repositories } from './repositories.js';
import { startBrokers } from './start-brokers.js';

/** What every role stands on. */
export interface Ground {
  readonly database: Database;
  readonly repositories: Repositories;
  readonly ids: NodeLease;
  readonly objects: LocalFiles;
  readonly publisher: MessagePublisher;
  readonly consumers: MessageConsumers;
  readonly relay: OutboxRelay;
  readonly workload: ReadWorkload;
  readonly signal: ProgressSignal;
  /** Only where one is configured. */
  readonly redis: RedisParts | undefined;
}

/** Opens database, object store and broker. @throws StartRefusal with the part that is missing. */
export async function layGround(
  config: AppConfig,
  lifecycle: Lifecycle,
  metrics: Metrics,
  dimension: number,
): Promise<Ground> {
  const database = await openDatabase(config, lifecycle);
  const redis = await openRedis(config, lifecycle);
  const signal = createSignal(config, database, redis);
  await ensureVectorTable(database, dimension);
  const ids = new NodeLease(database, systemClock, lifecycle.logger.child({ part: 'node-lease' }));
  lifecycle.add('node-lease', () => ids.stop());
  await ids.start();
  const objects = new LocalFiles(join(resolve(config.process.dataDir), 'objects'));
  await objects.start();
  const brokerGround = { config, database, clock: ids.clock, logger: lifecycle.logger };
  const brokers = await startBrokers(brokerGround, lifecycle, metrics);
  const { publisher, consumers } = brokers;
  const repositories = repositoriesOn(database, ids);
  const relay = new OutboxRelay(database, repositories.outbox, publisher, lifecycle.logger.child({ part: 'relay' }), {
    intervalMs: config.upkeep.relayIntervalMs,
    sendDeadlineMs: config.broker.sendDeadlineMs,
  });
  const workload = new ReadWorkload(repositories.queues, repositories.workers, brokers);
  return { database, repositories, ids, objects, publisher, consumers, relay, workload, signal, redis };
}

/** Has every committed change of a task announced. The embedded database has no other process that could change one. */
function createSignal({ database: { url } }: AppConfig, database: Database, redis?: RedisParts): ProgressSignal {
  const signal = url !== undefined && redis ? redis.signal : new InProcessSignal(url === undefined);
  database.onTaskChange((change) => signal.announce(change));
  return signal;
}
