import { randomBytes } from 'node:crypto';

const countersPerMs = 4_096;

/**
 * UUIDs (version 7) that sort in the order in which this process made them: milliseconds, a counter, random bits. A clock
 * that steps back is not followed.
 */
export class OrderedUuids {
  private lastMs = 0;
  private counter = 0;

  constructor(private readonly now: () => number) {}

  next(): string {
    const ms = this.now();
    if (ms > this.lastMs) {
      this.lastMs = ms;
      this.counter = 0;
    } else if (this.counter < countersPerMs - 1) {
      this.counter += 1;
    } else {
      this.lastMs += 1;
      this.counter = 0;
    }
    const time = this.lastMs.toString(16).padStart(12, '0');
    const counter = this.counter.toString(16).padStart(3, '0');
    const random = randomBytes(8);
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80; // the variant bits
    const tail = random.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  }
}
