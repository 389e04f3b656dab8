import { App } from './app.js';
import { ConfigError, loadConfig, type AppConfig } from './config/app-config.js';
import { StartRefusal } from './domain/start-refusal.js';
import { createJsonLogger, type Logger } from './logging/logger.js';

/** How much longer than its parts' own bounds stopping may take before the process ends all the same, in ms. */
const stopSlackMs = 20_000;

const exitCode = { stopped: 0, failed: 1, refused: 2, interruptedTwice: 130 } as const;

/** One sentence for whoever started it, or the whole error if nobody foresaw it. */
function refuseStart(error: unknown): never {
  const foreseen = error instanceof ConfigError || error instanceof StartRefusal;
  process.stderr.write(`${foreseen ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(exitCode.refused);
}

function readConfig(): AppConfig {
  try {
    return loadConfig(process.env);
  } catch (error) {
    return refuseStart(error);
  }
}

/** A signal to a terminal's group comes twice: by itself, and handed on by npm. Within this time, in ms, it counts once. */
const sameSignalMs = 1_000;

/** Stops on the first signal or fatal error, and ends at once on a second signal. */
function stopOnSignals(app: App, logger: Logger, graceMs: number): (code: number) => void {
  let stopping = false;
  let signalledAt = -Infinity;
  const stop = (code: number): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(
      () => {
        logger.error('stopping took too long; the process ends');
        process.exit(exitCode.failed);
      },
      graceMs * 2 + stopSlackMs,
    ).unref();
    app.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error('stopping failed', { error });
        process.exit(exitCode.failed);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (performance.now() - signalledAt < sameSignalMs) return;
      signalledAt = performance.now();
      if (stopping) process.exit(exitCode.interruptedTwice);
      process.stdout.write('Indexwright is stopping …\n');
      stop(exitCode.stopped);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.error('a bug was not caught; the process ends', { error, event });
      stop(exitCode.failed);
    });
  }
  return stop;
}

// Whoever reads the output may go first, as a closed terminal does; that is no reason to end badly.
process.stdout.on('error', () => undefined);
const config = readConfig();
const logger = createJsonLogger(config.process.logLevel);
const app = new App(config, logger, (error) => {
  logger.error('a part was lost for good; the process ends', { error });
  fail(exitCode.failed);
});
const fail = stopOnSignals(app, logger, config.process.stopGraceMs);
try {
  const address = await app.start();
  const roles = config.process.roles.join(', ');
  process.stdout.write(
    address
      ? `Indexwright is ready at ${address} — the API is described at ${address}/docs. Ctrl-C stops it.\n`
      : `Indexwright is ready (${roles}). Ctrl-C stops it.\n`,
  );
} catch (error) {
  await app.stop().catch((later: unknown) => logger.warn('stopping after a failed start failed', { error: later }));
  refuseStart(error);
}
