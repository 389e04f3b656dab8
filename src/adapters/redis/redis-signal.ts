import { randomUUID } from 'node:crypto';
import type { TaskChange } from '../../domain/task/task-change.js';
import type { Logger } from '../../logging/logger.js';
import { InProcessSignal } from '../../progress/in-process-signal.js';
import type { ChangeListener, ProgressSignal } from '../../progress/progress-signal.js';
import type { RedisLink } from './redis-link.js';

/** Who announces, tenant, task. */
const announcement = /^(\S{36}) (\d{1,19}) (\d{1,19})$/;

/** The signal between processes, by one channel of Redis. This process is told without it. */
export class RedisSignal implements ProgressSignal {
  private readonly own = randomUUID();
  private readonly here = new InProcessSignal(false);
  private readonly channel: string;

  /** @param hearing a connection that does nothing else, as Redis asks of those that subscribe. */
  constructor(
    private readonly telling: RedisLink,
    private readonly hearing: RedisLink,
    prefix: string,
    private readonly logger: Logger,
  ) {
    this.channel = `${prefix}:task-changes`;
    hearing.listen(this.channel, (message) => this.hear(message));
  }

  get reachesAll(): boolean {
    return this.telling.health().up && this.hearing.health().up;
  }

  announce(change: TaskChange): void {
    this.here.announce(change);
    const message = `${this.own} ${change.tenantId} ${change.taskId}`;
    void this.telling.ask(0, (redis) => redis.publish(this.channel, message));
  }

  subscribe(listener: ChangeListener): () => void {
    return this.here.subscribe(listener);
  }

  private hear(message: string): void {
    const [, origin, tenantId, taskId] = announcement.exec(message) ?? [];
    if (tenantId === undefined || taskId === undefined) {
      this.logger.warn('a wake-up cannot be read', { channel: this.channel });
    } else if (origin !== this.own) {
      this.here.announce({ tenantId, taskId });
    }
  }
}
