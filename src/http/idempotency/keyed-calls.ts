import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Once } from '../../database/once.js';
import type {
  HeldKey,
  IdempotencyKeyRepository,
  KeptAnswer,
  KeptKey,
  KeyTimes,
} from '../../database/repositories/idempotency-key-repository.js';
import { AppError } from '../../domain/errors.js';
import { keysKeptMs } from '../../domain/idempotency.js';
import type { TenantId } from '../../domain/ids/id.js';
import type { Logger } from '../../logging/logger.js';
import type { Answer } from '../answer.js';
import { replayedHeader } from './idempotency-key.js';

/** A creating request that carries a key. It has arrived whole. */
export interface KeyedCall {
  readonly tenantId: TenantId;
  readonly key: string;
  readonly fingerprint: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Carries the request out; what it creates, it creates in the one transaction that it hands `once` to. */
  run(once: Once): Promise<Answer>;
  /** Removes what arrived with a request that creates nothing. */
  discard(): Promise<void>;
}

export interface KeyedCallTimes extends KeyTimes {
  /** How long a request waits for an earlier one with its key. */
  readonly waitMs: number;
  /** Pause between two looks at the earlier one. */
  readonly lookEveryMs: number;
}

/** A request that was carried out by a process that died can be repeated within the wait of the first repetition. */
export const keyedCallTimes: KeyedCallTimes = {
  leaseMs: 9_000,
  keepMs: keysKeptMs,
  waitMs: 10_000,
  lookEveryMs: 200,
};

/** Renewals that may fail before a key is lost. */
const renewalsInLease = 3;

/** Carries requests that have a key out once, over all processes, and answers their repetitions as the first time. */
export class KeyedCalls {
  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly log: Logger,
    private readonly times: KeyedCallTimes = keyedCallTimes,
  ) {}

  /**
   * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and what the request itself is refused with;
   *   AbortError when nobody waits any more.
   */
  async answer(call: KeyedCall): Promise<Answer> {
    const held: HeldKey = { tenantId: call.tenantId, key: call.key, claim: randomUUID() };
    let kept: KeptKey | undefined;
    try {
      kept = await this.claimOrAwait(call, held);
    } catch (error) {
      await call.discard();
      throw error;
    }
    if (!kept) return this.carryOut(call, held);
    try {
      return replayed(kept.answer ?? (await this.answerAgain(call, kept)));
    } finally {
      await call.discard();
    }
  }

  /** Undefined once the key is ours; else what an earlier run has done with it. */
  private async claimOrAwait(call: KeyedCall, held: HeldKey): Promise<KeptKey | undefined> {
    const until = performance.now() + this.times.waitMs;
    for (;;) {
      if (await this.keys.claim(held, call.fingerprint, this.times)) return undefined;
      const kept = await this.keys.find(call.tenantId, call.key);
      if (kept && kept.fingerprint !== call.fingerprint) throw reused();
      if (kept?.answer || kept?.outcome) return kept;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw inProgress();
      await sleep(Math.min(this.times.lookEveryMs, leftMs), undefined, { signal: call.signal });
    }
  }

  private async carryOut(call: KeyedCall, held: HeldKey): Promise<Answer> {
    const renewal = setInterval(() => void this.renew(held), this.times.leaseMs / renewalsInLease);
    const once = new FirstRun(this.keys, held);
    try {
      const answer = keepable(await call.run(once));
      if (!once.recorded) this.log.error('a creating route hands its key to no transaction', { status: answer.status });
      return jsonAnswer(await this.keep(held, answer));
    } catch (error) {
      await this.letGo(held);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The run that created something did not get as far as its answer: the rest of it is done again. */
  private async answerAgain(call: KeyedCall, { claim, outcome }: KeptKey): Promise<KeptAnswer> {
    const once: Once = { done: outcome ?? undefined, record: () => Promise.reject(inProgress()) };
    const answer = keepable(await call.run(once));
    return this.keep({ tenantId: call.tenantId, key: call.key, claim }, answer);
  }

  /** What was created is created, whether or not its answer can be kept: a repetition can make the answer again. */
  private async keep(held: HeldKey, answer: KeptAnswer): Promise<KeptAnswer> {
    try {
      return (await this.keys.keep(held, answer)) ?? answer;
    } catch (error) {
      this.log.warn('an answer could not be kept for its key', { error });
      return answer;
    }
  }

  private async renew(held: HeldKey): Promise<void> {
    try {
      await this.keys.renew(held, this.times.leaseMs);
    } catch (error) {
      this.log.warn('a key could not be renewed', { error });
    }
  }

  private async letGo(held: HeldKey): Promise<void> {
    try {
      await this.keys.letGo(held);
    } catch (error) {
      this.log.warn('a key stays taken until its lease is over', { error });
    }
  }
}

class FirstRun implements Once {
  readonly done = undefined;
  recorded = false;

  constructor(
    private readonly keys: IdempotencyKeyRepository,
    private readonly held: HeldKey,
  ) {}

  async record(...[tx, result]: Parameters<Once['record']>): Promise<void> {
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result)), result)) {
      throw new Error('a creating transaction gave what JSON does not carry');
    }
    if (!(await this.keys.record(tx, this.held, result))) throw inProgress();
    this.recorded = true;
  }
}

function keepable(answer: Answer): KeptAnswer {
  if (!('json' in answer)) throw new Error('a creating route answered with something else than JSON');
  return { status: answer.status, headers: answer.headers ?? {}, body: answer.json };
}

function jsonAnswer({ status, headers, body }: KeptAnswer): Answer {
  return { status, headers, json: body };
}

function replayed({ status, headers, body }: KeptAnswer): Answer {
  return { status, headers: { ...headers, [replayedHeader]: 'true' }, json: body };
}

function reused(): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', 'The key was sent with another request before. Use a new one.');
}

function inProgress(): AppError {
  return new AppError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this key is still running. Send it again soon.',
  );
}
