import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark that greets when it is ready and answers each message by one. Rejects if it ends instead. */
export class Child {
  /** @param program URL of its file. */
  static async start(program, argument) {
    const child = new Child();
    child.program = program.pathname;
    // Advanced: vectors cross as they are, not as JSON. Options of the parent, a profiler's for one, are not the child's.
    const options = { execArgv: [], serialization: 'advanced' };
    child.process = fork(program, [JSON.stringify(argument)], options);
    child.greeting = await child.answer();
    return child;
  }

  async ask(message) {
    if (!this.process.connected) throw new Error(`${this.program} has ended`);
    this.process.send(message);
    return this.answer();
  }

  async answer() {
    const heard = new AbortController();
    const { signal } = heard;
    const ended = once(this.process, 'exit', { signal }).then(([code]) => {
      throw new Error(`${this.program} ended with code ${code}`);
    });
    try {
      const [message] = await Promise.race([once(this.process, 'message', { signal }), ended]);
      return message;
    } finally {
      heard.abort();
    }
  }

  stop() {
    if (this.process.connected) this.process.disconnect();
  }
}
