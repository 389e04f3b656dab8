import type { Id } from './id.js';

/** 2026-01-01T00:00:00.000Z, the zero of the time part. */
export const snowflakeEpochMs = Date.UTC(2026, 0, 1);

const nodeBits = 10n;
const sequenceBits = 12n;
/** Largest node number, 1023. */
export const maxNode = Number(2n ** nodeBits) - 1;
const maxSequence = Number(2n ** sequenceBits) - 1;

/**
 * Gives 64-bit ids that rise within a process and never repeat across nodes: 41 bits of milliseconds since
 * {@link snowflakeEpochMs}, 10 bits of node, 12 bits of sequence. A clock that steps back is not followed: ids go on from
 * the latest millisecond seen, and when a millisecond's 4,096 numbers are used up they run ahead of the clock.
 */
export class SnowflakeIds {
  private lastMs = -1;
  private sequence = 0;

  /** @param node 0–1023, leased so that no two live processes share one. @throws RangeError outside of that. */
  constructor(
    private readonly node: number,
    private readonly now: () => number,
  ) {
    if (!Number.isInteger(node) || node < 0 || node > maxNode)
      throw new RangeError(`node ${node} is not in 0–${maxNode}`);
  }

  next(): Id {
    const ms = this.now() - snowflakeEpochMs;
    if (ms > this.lastMs) {
      this.lastMs = ms;
      this.sequence = 0;
    } else if (this.sequence < maxSequence) {
      this.sequence += 1;
    } else {
      this.lastMs += 1;
      this.sequence = 0;
    }
    return String(
      (BigInt(this.lastMs) << (nodeBits + sequenceBits)) | (BigInt(this.node) << sequenceBits) | BigInt(this.sequence),
    );
  }
}
