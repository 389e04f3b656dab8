import { existsSync, fsyncSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Extension } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { StartRefusal } from '../../domain/start-refusal.js';
import type { SessionEngine } from './session-server.js';

/** The PostgreSQL version that PGlite is, as its data folders name it. */
const dataVersion = '18';

/** Half a gigabyte of memory becomes 200 MB; scans of the size that the embedded database is for stay in it. */
const sharedBuffers = '32MB';

interface NodeStream {
  readonly nfd: number;
}
interface Filesystems {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: NodeStream) => number } };
}

/** PGlite drops every fsync. With this one an acknowledged commit survives a power cut, for 1–5 ms a commit. */
const durable: Extension = {
  name: 'durable',
  setup: (_engine, options: { preRun: ((module: { FS: { filesystems: Filesystems } }) => void)[] }) => {
    options.preRun.push((module) => {
      module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
        fsyncSync(stream.nfd);
        return 0;
      };
    });
    return Promise.resolve({ emscriptenOpts: options });
  },
};

const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...settings({
    shared_buffers: sharedBuffers,
    wal_sync_method: 'fsync',
    min_wal_size: '32MB',
    max_wal_size: '128MB',
    timezone: 'UTC',
  }),
];

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The engine on a folder that {@link createDatabase} made. */
export class PGliteEngine implements SessionEngine {
  private constructor(private readonly engine: PGlite) {}

  static async open(folder: string): Promise<PGliteEngine> {
    refuseOtherVersion(folder);
    return new PGliteEngine(await PGlite.create({ dataDir: folder, extensions: { vector, durable }, startParams }));
  }

  async run(messages: Uint8Array, onAnswer: (piece: Uint8Array) => void): Promise<void> {
    await this.engine.runExclusive(() =>
      this.engine.execProtocolRawStream(new Uint8Array(messages), { onRawData: onAnswer }),
    );
  }

  inTransaction(): boolean {
    return this.engine.isInTransaction();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

/** Makes an empty database in a folder that does not exist yet; takes seconds and twice the memory of a running one. */
export async function createDatabase(folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const engine = await PGlite.create({ dataDir: folder, extensions: { vector, durable }, startParams });
  await engine.close();
}

function refuseOtherVersion(folder: string): void {
  const file = join(folder, 'PG_VERSION');
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'an unknown version';
  if (version === dataVersion) return;
  throw new StartRefusal(
    `The embedded database in ${folder} was written by PostgreSQL ${version} and this program holds ${dataVersion}: export it with the program that wrote it, or choose another DATA_DIR.`,
  );
}
