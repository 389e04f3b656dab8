import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Of short waits: an answer, a send. In seconds. */
export const shortWaits = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of work that may take minutes. In seconds. */
export const longWaits = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];

/** What an instrument is called and says. Names follow the conventions of Prometheus: base units, `_total` for counts. */
interface Instrument<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

/** Metrics of this process, in a registry of its own; served as text by `GET /metrics`. */
export class Metrics {
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<L extends string>({ labels, ...face }: Instrument<L>): Counter<L> {
    return new Counter({ ...face, labelNames: labels, registers: [this.registry] });
  }

  histogram<L extends string>({ labels, ...face }: Instrument<L>, buckets: readonly number[]): Histogram<L> {
    return new Histogram({ ...face, labelNames: labels, buckets: [...buckets], registers: [this.registry] });
  }

  /** @param collect called before each reading. Must not reject. */
  gauge<L extends string>({ labels, ...face }: Instrument<L>, collect?: () => Promise<void>): Gauge<L> {
    return new Gauge({ ...face, labelNames: labels, ...(collect ? { collect } : {}), registers: [this.registry] });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything, in the text format of Prometheus. */
  read(): Promise<string> {
    return this.registry.metrics();
  }
}
