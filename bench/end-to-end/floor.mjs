import pg from 'pg';
import { Child } from './child.mjs';
import { createFloorTable, writeDocument } from './floor-table.mjs';
import { cut } from './scan-cutter.mjs';

const processes = 2;
const program = new URL('./floor-child.mjs', import.meta.url);

/** The least that text → searchable takes by hand on two cores: two processes of one thread, one text a run. */
export class Floor {
  static async start(parts) {
    const floor = new Floor();
    floor.client = new pg.Client(parts.databaseUrl);
    await floor.client.connect();
    await createFloorTable(floor.client);
    floor.children = await Promise.all(Array.from({ length: processes }, () => Child.start(program, parts)));
    return floor;
  }

  documentId = 0;

  get pids() {
    return this.children.map((child) => child.process.pid);
  }

  /** Several documents: each process takes whole ones, one after the other. One document: its chunks are shared out. */
  async index(documents) {
    return documents.length === 1 ? this.indexOne(documents[0]) : this.indexMany(documents);
  }

  async indexMany(documents) {
    const waiting = [...documents];
    const done = [];
    await Promise.all(
      this.children.map(async (child) => {
        for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
          this.documentId += 1;
          done.push(await child.ask({ documentId: this.documentId, text }));
        }
      }),
    );
    return total(done);
  }

  async indexOne(text) {
    const texts = cut(text).map(([from, to]) => text.slice(from, to));
    // Dealt out by length, so that the processes end together.
    const order = [...texts.keys()].sort((a, b) => texts[b].length - texts[a].length);
    const vectors = [];
    const parts = await Promise.all(
      this.children.map(async (child, c) => {
        const mine = order.filter((_, at) => at % processes === c);
        const answer = await child.ask({ texts: mine.map((i) => texts[i]) });
        mine.forEach((i, at) => (vectors[i] = answer.vectors[at]));
        return answer;
      }),
    );
    this.documentId += 1;
    await writeDocument(this.client, this.documentId, texts, vectors);
    return total(parts);
  }

  async stop() {
    for (const child of this.children) child.stop();
    await this.client.end();
  }
}

function total(answers) {
  return {
    chunks: answers.reduce((sum, { chunks }) => sum + chunks, 0),
    tokens: answers.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
