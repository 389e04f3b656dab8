import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const stoppedWithinMs = 30_000;

/** Some roles of the service as a process of their own. */
export class Part {
  static async start(env) {
    const part = new Part(env);
    await part.ready;
    return part;
  }

  constructor(env) {
    this.process = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.ended = once(this.process, 'exit');
    this.ready = new Promise((resolve, reject) => {
      let said = '';
      this.process.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        const line = /^Indexwright is ready(?: at (http:\S+))?/m.exec(said);
        if (line) resolve((this.url = line[1]));
      });
      this.process.once('exit', () => reject(new Error(`a part ended before it was ready:\n${said}`)));
    });
  }

  async stop() {
    this.process.kill('SIGTERM');
    const late = setTimeout(() => this.process.kill('SIGKILL'), stoppedWithinMs);
    await this.ended;
    clearTimeout(late);
  }
}
