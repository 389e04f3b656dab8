// What only a Debian machine offers, to root.
import { existsSync } from 'node:fs';
import { runCommand } from '../run-command.mjs';

const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/** True where packages can be installed from here. */
export function canInstallPackages() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/** Installs those that are missing. An old list of packages is renewed once. */
export async function installPackages(names, reason) {
  if (!canInstallPackages()) throw new Error(`${names.join(', ')} must be installed: ${reason}.`);
  console.log(`Installing ${names.join(', ')} …`);
  const args = ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=300', 'install', '--no-install-recommends', ...names];
  const install = () => runCommand(`Installing ${names.join(', ')}`, 'apt-get', args, { env: environment });
  try {
    await install();
  } catch {
    await runCommand('Reading the list of packages', 'apt-get', ['-qq', 'update'], { env: environment });
    await install();
  }
}

/** Address of the Debian archive that this machine gets its packages from. */
export async function debianArchive() {
  const format = ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Created-By: Packages'];
  const lines = (await runCommand('Reading the sources of packages', 'apt-get', format)).split('\n');
  const main = lines
    .map((line) => line.split(' '))
    .find(([, release]) => release && !/-(security|updates)$/.test(release));
  if (!main) throw new Error('No Debian archive stands in the sources of apt.');
  return main[0];
}
