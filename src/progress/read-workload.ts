import type { OutboxDepth, QueueDepth, QueueRepository } from '../database/repositories/queue-repository.js';
import type { WorkerRepository, WorkerRow } from '../database/repositories/worker-repository.js';
import { AppError } from '../domain/errors.js';
import type { Page, PageRequest } from '../domain/page.js';
import { TaskType } from '../domain/task/task-type.js';
import type { MessageConsumers } from '../messaging/message-consumer.js';
import { groupOf, topicsOf } from '../messaging/topic.js';

/** How long the broker may take to say how much it holds. */
const lagDeadlineMs = 1_000;

/** One type of task: what is live of it, and how many workers are alive to take it. */
export interface QueueState extends QueueDepth {
  readonly workers: number;
  /** Messages of its topics that no worker has acknowledged; null where the broker did not say. */
  readonly lag: number | null;
  /** Why it did not. */
  readonly lagReason: string | null;
}

/** A broker that messages may lie in. */
export interface NamedBroker {
  /** As in `BROKER`. */
  readonly name: string;
  readonly consumers: Pick<MessageConsumers, 'lag'>;
}

/** What lies in a broker. */
export interface BrokerLags {
  readonly broker: string;
  /** Messages that no worker has acknowledged, by type of task; null where the broker did not say. */
  readonly lags: ReadonlyMap<TaskType, number> | null;
  /** Why it did not. */
  readonly lagReason: string | null;
}

export interface QueuePage extends Page<QueueState> {
  /** The broker whose lag the queues tell. */
  readonly broker: string;
  readonly outbox: OutboxDepth;
  /** What is left in those that are drained. */
  readonly drained: readonly BrokerLags[];
}

/** What there is to do, and who does it. */
export class ReadWorkload {
  constructor(
    private readonly queues: QueueRepository,
    private readonly workers: WorkerRepository,
    private readonly brokers: { readonly current: NamedBroker; readonly drained: readonly NamedBroker[] },
  ) {}

  /** Every type of task in the order of their codes, which are the keys of the pages. */
  async listQueues({ limit, after }: PageRequest): Promise<QueuePage> {
    const { current, drained } = this.brokers;
    const [all, alive, { broker, lags, lagReason }, ...left] = await Promise.all([
      this.queues.depths(),
      this.workers.aliveByGroup(),
      lagsOf(current),
      ...drained.map(lagsOf),
    ]);
    const depths = new Map(all.map((depth) => [depth.taskType, depth]));
    const rest = Object.values(TaskType)
      .filter((type) => type > Number(after ?? 0))
      .map((type) => ({
        ...(depths.get(type) ?? empty(type)),
        workers: alive.get(groupOf(type)) ?? 0,
        lag: lags && (lags.get(type) ?? 0),
        lagReason,
      }));
    const items = rest.slice(0, limit);
    const next = rest.length > limit ? String(items.at(-1)?.taskType) : null;
    return { items, next, broker, outbox: await this.queues.outbox(), drained: left };
  }

  listWorkers(page: PageRequest): Promise<Page<WorkerRow>> {
    return this.workers.list(page);
  }
}

/** How far consumers are behind. What the database tells does not wait for a broker that hangs. */
async function lagsOf({ name: broker, consumers }: NamedBroker): Promise<BrokerLags> {
  try {
    const lags = await consumers.lag(lagDeadlineMs);
    const lagOf = (type: TaskType): number => topicsOf(type).reduce((sum, topic) => sum + (lags.get(topic) ?? 0), 0);
    const byType = Object.values(TaskType).map((type) => [type, lagOf(type)] as const);
    return { broker, lags: new Map(byType), lagReason: null };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'BROKER_UNAVAILABLE')) throw error;
    return { broker, lags: null, lagReason: error.message };
  }
}

function empty(taskType: TaskType): QueueDepth {
  return { taskType, waiting: 0, running: 0, retrying: 0, oldestWaitingMs: null };
}
