import { assertNever } from '../../domain/assert-never.js';
import { setSkew } from './skewed-clock.js';
import type { FailpointName } from './failpoints.js';
import type { Order, Reached, Strike } from './strike.js';

/** Strikes the process that it lives in where a test ordered it. */
export class Striker {
  private readonly armed = new Map<FailpointName, { readonly strike: Strike; passesLeft: number }>();
  private readonly held = new Map<FailpointName, () => void>();

  /** @param tell resolves when the test has been told for certain. */
  constructor(private readonly tell: (reached: Reached) => Promise<void>) {}

  obey(order: Order): void {
    switch (order.type) {
      case 'arm':
        this.armed.set(order.name, { strike: order.strike, passesLeft: order.pass });
        break;
      case 'disarm':
        this.armed.clear();
        break;
      case 'release':
        this.held.get(order.name)?.();
        this.held.delete(order.name);
        break;
      case 'set clock':
        setSkew(order.skewMs);
        break;
      default:
        assertNever(order);
    }
  }

  /** Resolves when the process may go on. */
  async reach(name: FailpointName): Promise<void> {
    const order = this.armed.get(name);
    if (!order || (order.passesLeft -= 1) > 0) return;
    this.armed.delete(name);
    if (order.strike === 'hold') return this.hold(name);
    await this.tell({ reached: name });
    process.kill(process.pid, order.strike === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  }

  private async hold(name: FailpointName): Promise<void> {
    const released = new Promise<void>((resolve) => this.held.set(name, resolve));
    await this.tell({ reached: name });
    await released;
  }
}
