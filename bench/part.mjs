import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const stoppedWithinMs = 30_000;

/** Makes the topics that TOPIC_PREFIX stands before. */
export async function createTopics(env) {
  const topics = spawn(process.execPath, ['dist/src/topics.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(topics, 'exit');
  if (code !== 0) throw new Error('the topics could not be created; was the service built (npm run build)?');
}

/** Some roles of the service, or another program that says when it is ready, as a process of their own. */
export class Part {
  /** @param args what Node.js is told to run; the service, unless told otherwise. */
  static async start(env, args = ['dist/src/main.js']) {
    const part = new Part(env, args);
    await part.ready;
    return part;
  }

  constructor(env, args) {
    this.process = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.ended = once(this.process, 'exit');
    this.ready = new Promise((resolve, reject) => {
      let said = '';
      this.process.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        const line = /^(?:Indexwright is )?ready(?: at (http:\S+))?[^\n]*\n/m.exec(said);
        if (line) resolve((this.url = line[1]));
      });
      this.process.once('exit', () => reject(new Error(`a part ended before it was ready:\n${said}`)));
    });
  }

  get pid() {
    return this.process.pid;
  }

  /** Nothing happens if it has ended. */
  async stop() {
    this.process.kill('SIGTERM');
    const late = setTimeout(() => this.process.kill('SIGKILL'), stoppedWithinMs);
    await this.ended;
    clearTimeout(late);
  }
}
