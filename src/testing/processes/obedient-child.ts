import { existsSync, writeFileSync } from 'node:fs';
import { AppError } from '../../domain/errors.js';
import { serveRequests } from '../../processes/serve-requests.js';

/** How the child prepares: it refuses with an AppError while the file is there, or always breaks, hangs or leaves. */
export interface ObedientInit {
  readonly refuseWhileFile?: string;
  readonly prepare?: 'break' | 'hang' | 'leave';
}

/** What the child is to do with a request. */
export type Order =
  | { do: 'echo'; value: unknown }
  | { do: 'tell' }
  | { do: 'spin' | 'fill heap' | 'fill buffers' | 'refuse' | 'break' | 'answer unsendable' }
  | { do: 'leave'; code: number }
  /** Makes the file, then computes without end. */
  | { do: 'mark and spin'; file: string };

/** What the child tells about itself. */
export interface Told {
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
}

serveRequests<ObedientInit, Order, unknown>(async (init) => {
  if (init.refuseWhileFile && existsSync(init.refuseWhileFile)) {
    throw new AppError('MODEL_NOT_AVAILABLE', 'The file is there.', { seen: true });
  }
  if (init.prepare === 'break') throw new TypeError('not prepared for this');
  if (init.prepare === 'hang') await forever();
  if (init.prepare === 'leave') process.exit(3);
  return (order) => Promise.resolve().then(() => obey(order));
});

function obey(order: Order): unknown {
  switch (order.do) {
    case 'echo':
      return order.value;
    case 'tell':
      return { pid: process.pid, env: { ...process.env }, execArgv: process.execArgv } satisfies Told;
    case 'spin':
      for (;;);
    case 'fill heap':
      return fillHeap();
    case 'fill buffers':
      return fillBuffers();
    case 'refuse':
      throw new AppError('ENCRYPTED', 'It has a password.', { page: 3 });
    case 'break':
      throw new RangeError('too deep', { cause: new Error('a reason') });
    case 'answer unsendable':
      return () => undefined;
    case 'mark and spin':
      writeFileSync(order.file, '');
      for (;;);
    case 'leave':
      process.exit(order.code);
  }
}

function forever(): Promise<never> {
  setInterval(() => undefined, 60_000);
  return new Promise(() => undefined);
}

function fillHeap(): never {
  const kept: unknown[] = [];
  for (;;) kept.push(new Array(1_000).fill({ a: kept.length }));
}

/** Outside the heap, where V8 has no limit. */
function fillBuffers(): never {
  const kept: Buffer[] = [];
  for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
}
