import type { Database, TransactionContext } from '../../database/database.js';
import { brokerName, destinations } from '../../messaging/topic.js';
import { bossIn, queueSchema } from './boss-on.js';
import { defaultHoldSeconds, type PostgresQueueOptions } from './queue-options.js';

/** One process at a time sets queues up. */
const setupLock = 4_201_773_905;
/** How long a message or dead letter that nobody reads is kept. */
const keptMinutes = 30 * 24 * 60;

/**
 * Makes the tables of pg-boss and the queues of all topics, where they are missing, in one transaction. Safe to call from
 * several processes at once.
 */
export async function ensureQueues(database: Database, options: PostgresQueueOptions): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [setupLock]);
    const boss = bossIn(transaction);
    await boss.start();
    await indexOrder(transaction);
    const present = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const destination of destinations) {
      const name = brokerName(options.prefix, destination);
      if (!present.has(name)) {
        await boss.createQueue(name, {
          name,
          policy: 'standard',
          expireInSeconds: options.holdSeconds ?? defaultHoldSeconds,
          retentionMinutes: keptMinutes,
        });
      }
    }
  });
}

/** What taking the next message in order reads, so that it does not read the whole queue. */
async function indexOrder(transaction: TransactionContext): Promise<void> {
  const live = `where state <= 'active'`;
  await transaction.query(
    `create index if not exists job_in_order on ${queueSchema}.job (name, created_on, id) ${live};
     create index if not exists job_in_key_order on ${queueSchema}.job (name, singleton_key, id) ${live}`,
  );
}
