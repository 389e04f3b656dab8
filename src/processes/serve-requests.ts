import { encodeError, type Answer, type FromChild, type ToChild } from './wire.js';
import { ParentWatch } from './parent-watch.js';
import { yieldCores } from './yield-cores.js';

/**
 * Makes this process the child of a ProcessPool: prepares once with what the pool hands over, then answers requests one
 * at a time. Errors go back to the one who asked: an AppError as it is, any other with its stack.
 */
export function serveRequests<Init, Request, Response>(
  prepare: (init: Init) => Promise<(request: Request) => Promise<Response>>,
): void {
  // The parent may have died before this process could listen.
  if (!process.connected) process.exit();
  process.on('disconnect', () => process.exit());
  // A terminal signals its whole process group; the parent decides when its children end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

  let watch: ParentWatch | undefined;
  let answer: ((request: Request) => Promise<Response>) | undefined;
  const handle = async (message: ToChild): Promise<Answer> => {
    if (message.type === 'init') {
      watch = new ParentWatch(message.limits);
      // After start-up, which people wait for.
      yieldCores();
      answer = await prepare(message.init as Init);
      return { type: 'ready' };
    }
    if (!answer) throw new Error('A request came before the process was ready.');
    send({ type: 'taken' });
    watch?.requestBegins();
    const response = await answer(message.request as Request);
    return { type: 'response', response, rssBytes: process.memoryUsage.rss() };
  };
  process.on('message', (message: ToChild) => void handle(message).then(send).catch(sendError));
}

function send(message: FromChild): void {
  process.send?.(message);
}

function sendError(error: unknown): void {
  const failed = (reason: unknown): Answer => ({
    type: 'failed',
    error: encodeError(reason),
    rssBytes: process.memoryUsage.rss(),
  });
  try {
    send(failed(error));
  } catch (unsendable) {
    // The details of the error hold something that cannot cross; that is a bug to be seen as one.
    send(failed(unsendable));
  }
}
