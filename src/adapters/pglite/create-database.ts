/** A process of its own: makes an empty database in the folder that its argument names, and ends. */
import { createDatabase } from './engine.js';

// A signal to the terminal's group is meant for the service, which ends this process by closing the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit(1));

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
await createDatabase(folder);
process.exit(0);
