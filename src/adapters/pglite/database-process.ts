/** The process that holds the embedded database. It lives for its parent: when the channel closes, it closes and ends. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartRefusal } from '../../domain/start-refusal.js';
import { dataFolderNames, takeDataFolder } from './data-folder.js';
import { PGliteEngine } from './engine.js';
import type { FolderLock } from './folder-lock.js';
import type { FromDatabaseProcess, ToDatabaseProcess } from './messages.js';
import { SessionServer } from './session-server.js';

type Opening = Extract<ToDatabaseProcess, { type: 'open' }>;

interface Opened {
  readonly lock: FolderLock;
  readonly engine: PGliteEngine;
  readonly server: SessionServer;
}

let opened: Promise<Opened> | undefined;
let socket: string | undefined;
let ending = false;

// A signal to the terminal's group is meant for the service, which stops this process when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('message', (message: ToDatabaseProcess) => {
  if (message.type === 'open') void open(message);
  else if (message.type === 'ping') tell({ type: 'pong' });
  else void end();
});
process.once('disconnect', () => void end());

async function open(opening: Opening): Promise<void> {
  socket = opening.socket;
  opened = openAll(opening);
  try {
    await opened;
    tell({ type: 'ready' });
  } catch (error) {
    if (error instanceof StartRefusal) tell({ type: 'refused', message: error.message });
    else tell({ type: 'failed', stack: stackOf(error) });
    await end();
  }
}

async function openAll(opening: Opening): Promise<Opened> {
  const lock = await takeDataFolder(opening.dataDir, opening.owner);
  try {
    const engine = await PGliteEngine.open(join(opening.dataDir, dataFolderNames.database));
    const server = new SessionServer(engine, { idleMs: opening.idleMs, onBroken: giveUp });
    // Left by a process that was killed; nobody listens there any more, or the lock would be held.
    rmSync(opening.socket, { force: true });
    await server.listen(opening.socket);
    return { lock, engine, server };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What the engine still holds is not trusted; the next process recovers from the log on disk, as after a crash. */
function giveUp(error: unknown): never {
  process.stderr.write(`${stackOf(error)}\n`);
  process.exit(1);
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  const parts = await opened?.catch(() => undefined);
  if (parts) {
    await parts.server.close();
    await parts.engine.close();
    parts.lock.release();
  }
  // After a killed parent nobody else tidies up.
  if (socket !== undefined) rmSync(dirname(socket), { recursive: true, force: true });
  process.exit(0);
}

function tell(message: FromDatabaseProcess): void {
  if (process.connected) process.send?.(message);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
