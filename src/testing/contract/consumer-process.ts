import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ConsumerOrder } from '../processes/consume-messages.js';
import type { ConsumerProcess } from './messaging-broker.js';

const program = fileURLToPath(new URL('../processes/consume-messages.ts', import.meta.url));
const loader = new URL('../../../ts-loader.mjs', import.meta.url).href;

/** Starts a consumer in a process of its own. */
export function startConsumerProcess(order: ConsumerOrder): ConsumerProcess {
  const child = fork(program, [JSON.stringify(order)], { execArgv: ['--no-warnings', '--import', loader] });
  const exited = once(child, 'exit');
  const received: string[] = [];
  child.on('message', (key: string) => received.push(key));
  return {
    received,
    receives: async (count) => {
      const died = exited.then(([code]) => {
        throw new Error(`the consumer process ended with ${code} after ${received.length} messages`);
      });
      while (received.length < count) await Promise.race([once(child, 'message'), died]);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
