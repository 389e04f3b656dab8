import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Id } from '../../domain/ids/id.js';
import type { TaskLock } from '../../worker/task-lock.js';
import type { RedisLink } from './redis-link.js';

/** A plain DEL would remove the lock of whoever took it after ours had ended. */
const releaseScript = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/** Takes a lock again that Redis has lost; leaves one alone that is somebody else's by now. */
const keepScript = `
  local holder = redis.call('get', KEYS[1])
  if holder == false or holder == ARGV[1] then redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
  return 0`;

/** Beats of the keeper in the life of a lock. */
const beatsPerLife = 3;

/**
 * One key a task, `SET NX EX` with a token of its own. It never outlives the lease of whoever died holding it: its life is
 * no longer than the lease, and it is kept as often.
 */
export class RedisTaskLock implements TaskLock {
  private readonly tokens = new Map<Id, string>();
  private readonly lifeSeconds: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: RedisLink,
    private readonly prefix: string,
    leaseMs: number,
  ) {
    this.lifeSeconds = Math.max(1, Math.floor(leaseMs / 1_000));
  }

  start(): void {
    this.timer ??= setInterval(() => void this.keep(), (this.lifeSeconds * 1_000) / beatsPerLife);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  async take(taskId: Id): Promise<boolean> {
    if (this.tokens.has(taskId)) return false;
    const token = randomUUID();
    // Noted first: a lock whose answer came too late is taken all the same, and is ours to release.
    this.tokens.set(taskId, token);
    const taken = await this.link.ask(true, (redis) => this.set(redis, taskId, token));
    if (!taken && this.tokens.get(taskId) === token) this.tokens.delete(taskId);
    return taken;
  }

  async release(taskId: Id): Promise<void> {
    const token = this.tokens.get(taskId);
    if (token === undefined) return;
    this.tokens.delete(taskId);
    await this.link.ask(undefined, (redis) => redis.eval(releaseScript, 1, this.keyOf(taskId), token));
  }

  /** Gives all locks in hand a new life. Public for tests that drive it by hand. */
  async keep(): Promise<void> {
    const held = [...this.tokens];
    await this.link.ask(undefined, (redis) =>
      Promise.all(held.map(([id, token]) => redis.eval(keepScript, 1, this.keyOf(id), token, this.lifeSeconds))),
    );
  }

  private async set(redis: Redis, taskId: Id, token: string): Promise<boolean> {
    return (await redis.set(this.keyOf(taskId), token, 'EX', this.lifeSeconds, 'NX')) === 'OK';
  }

  private keyOf(taskId: Id): string {
    return `${this.prefix}:lock:index-task:${taskId}`;
  }
}
