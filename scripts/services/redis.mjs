// Redis for the tests: each suite starts servers of its own, to pause and kill them; here is only the program.
import { runCommand } from '../run-command.mjs';

/** The version of the installed server, or undefined if there is none. */
export async function redisVersion() {
  try {
    return /v=([\d.]+)/.exec(await runCommand('Looking for redis-server', 'redis-server', ['--version']))?.[1];
  } catch {
    return undefined;
  }
}
