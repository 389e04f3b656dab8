// npm run build
import { ensureBuilt } from './compile.mjs';
import { ensureInstalled } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { fail } from './run-command.mjs';

requireNode();
await ensureInstalled().then(ensureBuilt).catch(fail);
