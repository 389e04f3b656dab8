import type { Id, TenantId } from '../../domain/ids/id.js';
import type { FinishedTasks } from '../../progress/finished-tasks.js';
import type { TaskView } from '../../progress/task-view.js';
import type { RedisLink } from './redis-link.js';

/** How long a task is remembered, in seconds. Only the removal of its row could make it old. */
const lifeSeconds = 300;
const longestText = 64 * 1024;

/** Every field, and how it comes back from JSON. What was kept by a program that knew fewer fields is not found. */
const fields: Readonly<Record<keyof TaskView, 'plain' | 'time'>> = {
  taskId: 'plain',
  documentId: 'plain',
  planId: 'plain',
  batchId: 'plain',
  taskType: 'plain',
  priority: 'plain',
  taskStatus: 'plain',
  currentStage: 'plain',
  stages: 'plain',
  percent: 'plain',
  attempt: 'plain',
  retryCount: 'plain',
  maxRetryCount: 'plain',
  nextRetryAt: 'time',
  strategySnapshot: 'plain',
  buildSpec: 'plain',
  triggerSource: 'plain',
  waiting: 'plain',
  error: 'plain',
  createdAt: 'time',
  startedAt: 'time',
  finishedAt: 'time',
  nextPollMs: 'plain',
};

/** Finished tasks as JSON, one key a task that carries its tenant. */
export class RedisFinishedTasks implements FinishedTasks {
  constructor(
    private readonly link: RedisLink,
    private readonly prefix: string,
  ) {}

  async find(tenantId: TenantId, taskId: Id): Promise<TaskView | undefined> {
    const text = await this.link.ask(null, (redis) => redis.get(this.keyOf(tenantId, taskId)));
    return text === null ? undefined : taskOf(text, taskId);
  }

  async keep(tenantId: TenantId, task: TaskView): Promise<void> {
    const text = JSON.stringify(task);
    if (text.length > longestText) return;
    await this.link.ask(null, (redis) => redis.set(this.keyOf(tenantId, task.taskId), text, 'EX', lifeSeconds));
  }

  private keyOf(tenantId: TenantId, taskId: Id): string {
    return `${this.prefix}:finished-task:${tenantId}:${taskId}`;
  }
}

/** Undefined for what is no such task, or lacks a field. */
function taskOf(text: string, taskId: Id): TaskView | undefined {
  const kept = parsed(text);
  if (kept?.['taskId'] !== taskId) return undefined;
  const task: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(fields)) {
    const value = kept[name];
    if (value === undefined) return undefined;
    task[name] = kind === 'time' && value !== null ? new Date(value as string) : value;
  }
  return task as unknown as TaskView;
}

/** What anybody else wrote there is as good as nothing. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
