/** A service that does nothing but hold the embedded database in the folder that its argument names. */
import { EmbeddedDatabase } from '../../adapters/pglite/embedded-database.js';
import { silentLogger } from '../../logging/logger.js';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('which folder?');
const onLost = (error: Error): void => {
  throw error;
};
const database = new EmbeddedDatabase({ dataDir, idleMs: 60_000, onLost }, silentLogger);
try {
  const { address } = await database.start();
  process.send?.({ address, pid: database.pid });
} catch (error) {
  process.send?.({ refused: String(error) });
  process.exit(1);
}
