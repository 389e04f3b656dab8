// Debian 12 has no pgvector for its PostgreSQL. The next release has the source package, which builds against any
// supported PostgreSQL in seconds: it is read through a list and a cache of its own, so that the machine's stay as they
// are, checked by apt against Debian's keys, built and installed for one server version.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../run-command.mjs';
import { canInstallPackages, debianArchive, installPackages } from './debian.mjs';

const sourceRelease = 'trixie';
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Resolves when the server of that major version can create the extension `vector`. */
export async function ensurePgvector(major) {
  if (existsSync(`/usr/share/postgresql/${major}/extension/vector.control`)) return;
  if (!canInstallPackages()) throw new Error(`pgvector must be installed for PostgreSQL ${major}.`);
  console.log(`Building pgvector for PostgreSQL ${major} …`);
  const work = await mkdtemp(path.join(tmpdir(), 'pgvector-'));
  try {
    // apt drops its rights where it can, and must still get in.
    await chmod(work, 0o755);
    await fetchSource(work);
    await buildSource(work, major);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchSource(work) {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'source']) {
    await mkdir(path.join(work, folder), { recursive: true });
  }
  const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : '';
  const list = path.join(work, 'sources.list');
  await writeFile(list, `deb-src ${signed}${await debianArchive()} ${sourceRelease} main\n`);
  const settings = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': path.join(work, 'lists'),
    'Dir::Cache': path.join(work, 'cache'),
    'APT::Sandbox::User': 'root',
  };
  const options = ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
  await runCommand('Reading the sources of Debian', 'apt-get', [...options, 'update']);
  await runCommand(
    'Fetching the source of pgvector',
    'apt-get',
    [...options, 'source', '--download-only', 'pgvector'],
    {
      cwd: path.join(work, 'source'),
    },
  );
}

async function buildSource(work, major) {
  const source = path.join(work, 'source');
  const headers = `postgresql-server-dev-${major}`;
  if (!existsSync(`/usr/include/postgresql/${major}/server/postgres.h`) || !existsSync('/usr/bin/make')) {
    await installPackages([headers, 'gcc', 'make', 'libc6-dev'], 'pgvector is built from its source');
  }
  const archive = (await readdir(source)).find((name) => /\.orig\.tar\./.test(name));
  if (!archive) throw new Error('The source package of pgvector holds no archive.');
  await runCommand('Unpacking pgvector', 'tar', ['-xf', archive, '--strip-components=1'], { cwd: source });
  // Nothing that only this machine's processor knows.
  const options = ['-s', 'OPTFLAGS=', `PG_CONFIG=/usr/lib/postgresql/${major}/bin/pg_config`];
  await runCommand('Building pgvector', 'make', [...options, '-j2'], { cwd: source });
  await runCommand('Installing pgvector', 'make', [...options, 'install'], { cwd: source });
}
