// npm run dev: runs the service from its sources and starts it again on every change.
import { spawn } from 'node:child_process';
import { ensureInstalled } from './install.mjs';
import { root, typescriptOptions } from './project.mjs';
import { requireNode } from './require-node.mjs';
import { fail } from './run-command.mjs';

requireNode();
await ensureInstalled().catch(fail);
const args = ['--watch', '--watch-preserve-output', ...typescriptOptions, 'src/main.ts', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
// The terminal, or npm, tells the child as well; this process only waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
