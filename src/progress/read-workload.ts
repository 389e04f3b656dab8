import type { OutboxDepth, QueueDepth, QueueRepository } from '../database/repositories/queue-repository.js';
import type { WorkerRepository, WorkerRow } from '../database/repositories/worker-repository.js';
import type { Page, PageRequest } from '../domain/page.js';
import { TaskType } from '../domain/task/task-type.js';
import { groupOf } from '../messaging/topic.js';

/** One type of task: what is live of it, and how many workers are alive to take it. */
export interface QueueState extends QueueDepth {
  readonly workers: number;
}

export interface QueuePage extends Page<QueueState> {
  readonly outbox: OutboxDepth;
}

/** What there is to do, and who does it. */
export class ReadWorkload {
  constructor(
    private readonly queues: QueueRepository,
    private readonly workers: WorkerRepository,
  ) {}

  /** Every type of task in the order of their codes, which are the keys of the pages. */
  async listQueues({ limit, after }: PageRequest): Promise<QueuePage> {
    const depths = new Map((await this.queues.depths()).map((depth) => [depth.taskType, depth]));
    const alive = await this.workers.aliveByGroup();
    const rest = Object.values(TaskType)
      .filter((type) => type > Number(after ?? 0))
      .map((type) => ({ ...(depths.get(type) ?? empty(type)), workers: alive.get(groupOf(type)) ?? 0 }));
    const items = rest.slice(0, limit);
    const next = rest.length > limit ? String(items.at(-1)?.taskType) : null;
    return { items, next, outbox: await this.queues.outbox() };
  }

  listWorkers(page: PageRequest): Promise<Page<WorkerRow>> {
    return this.workers.list(page);
  }
}

function empty(taskType: TaskType): QueueDepth {
  return { taskType, waiting: 0, running: 0, retrying: 0, oldestWaitingMs: null };
}
