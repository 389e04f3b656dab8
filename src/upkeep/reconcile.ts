import type { UpkeepRepository } from '../database/repositories/upkeep-repository.js';
import { AppError } from '../domain/errors.js';
import type { Logger } from '../logging/logger.js';
import type { DriftKind, MendedBy } from './drift/drift-kind.js';
import { settleEach } from './settle-each.js';

/** What is told by id; the rest is counted. */
const mostIds = 100;

/** What one kind of drift came to. */
export interface Finding {
  readonly kind: string;
  readonly count: number;
  /** The first of them. */
  readonly ids: readonly string[];
  readonly repaired: number;
}

export interface ReconcileReport {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Kinds of which nothing was found are left out. */
  readonly findings: readonly Finding[];
  /** Kinds that could not be looked through to the end; the log says why. */
  readonly incomplete: readonly string[];
}

/** Compares documents, tasks, messages, versions, chunks, vectors and files with each other, and mends what it may. */
export class Reconcile {
  private running = false;

  constructor(
    private readonly kinds: readonly DriftKind[],
    private readonly repository: UpkeepRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * @param mends whose repairs are made; none: the report only.
   * @param signal ends it after the step in hand; the report then tells what was seen.
   * @throws AppError TOO_BUSY while one runs in this process already.
   */
  async run(mends: readonly MendedBy[], signal: AbortSignal): Promise<ReconcileReport> {
    if (this.running) throw new AppError('TOO_BUSY', 'A reconciliation is running already. Try again when it is done.');
    this.running = true;
    try {
      return await this.look(mends, signal);
    } finally {
      this.running = false;
    }
  }

  private async look(mends: readonly MendedBy[], signal: AbortSignal): Promise<ReconcileReport> {
    const startedAt = await this.repository.now();
    const findings: Finding[] = [];
    const incomplete: string[] = [];
    for (const kind of this.kinds) {
      const tally = new Tally(kind.name);
      if (!(await this.lookFor(kind, tally, mends.includes(kind.mendedBy), signal))) incomplete.push(kind.name);
      if (tally.count > 0) findings.push(tally.finding());
    }
    return { startedAt, finishedAt: await this.repository.now(), findings, incomplete };
  }

  private async lookFor(kind: DriftKind, tally: Tally, mend: boolean, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      for await (const ids of kind.scan()) {
        tally.add(ids, mend ? await settleEach(kind, ids, this.logger, signal) : 0);
        if (signal.aborted) return false;
      }
      return true;
    } catch (error) {
      // What one kind cannot look at must not hide the others.
      this.logger.warn('drift could not be looked for', { kind: kind.name, error });
      return false;
    }
  }
}

class Tally {
  count = 0;
  private repaired = 0;
  private readonly ids: string[] = [];

  constructor(private readonly kind: string) {}

  add(ids: readonly string[], repaired: number): void {
    this.count += ids.length;
    this.repaired += repaired;
    this.ids.push(...ids.slice(0, mostIds - this.ids.length));
  }

  finding(): Finding {
    return { kind: this.kind, count: this.count, ids: this.ids, repaired: this.repaired };
  }
}
