import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Child } from './child.mjs';
import { Client } from './client.mjs';
import { Floor } from './floor.mjs';
import { ScratchDatabase, Service } from './service.mjs';

const modelFolder = fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url));
const same = (texts) => texts;
const asItSays = (answer) => answer;

/**
 * The ways from text to searchable: the floor, the service twice, and LangChain if it is installed.
 *
 * `prepare` is not timed and gives what `run` is to work on; `count` reads afterwards how much was indexed. `pids` and
 * `database` say who does the work.
 */
export async function startVariants({ keep, name, serverUrl, brokers, inFlight, pollMs }) {
  const ours = await keep(ScratchDatabase.create(serverUrl, `${name}-service`));
  const peers = await keep(ScratchDatabase.create(serverUrl, `${name}-peers`));
  const parts = { databaseUrl: peers.url, modelFolder };
  const floor = await keep(Floor.start(parts));
  const service = await keep(Service.start({ name, env: { DATABASE_URL: ours.url, KAFKA_BROKERS: brokers } }));
  const langchain =
    hasLangChain() && (await keep(Child.start(new URL('./langchain-child.mjs', import.meta.url), parts)));
  return [
    {
      name: 'floor, 2 processes × 1 thread',
      pids: floor.pids,
      database: peers,
      prepare: same,
      run: (texts) => floor.index(texts),
      count: asItSays,
    },
    ...serviceVariants(service, ours, inFlight, pollMs),
    ...(langchain
      ? [
          {
            name: 'LangChain JS',
            pids: [langchain.process.pid],
            database: peers,
            prepare: same,
            run: (documents) => langchain.ask({ documents }),
            count: asItSays,
          },
        ]
      : []),
  ];
}

function serviceVariants(service, database, inFlight, pollMs) {
  const client = new Client(service.url, pollMs);
  const who = { pids: [service.pid], database };
  const prepareAll = (texts) => eachOf(texts, inFlight, (text, i) => client.prepare(text, `document-${i}.md`));
  const build = async (prepared) => ({ prepared, built: await client.build(prepared) });
  const count = (documents) => countIndexed(client, documents);
  return [
    {
      ...who,
      name: 'service, from upload to SUCCESS',
      prepare: same,
      run: (texts) => eachOf(texts, inFlight, async (text, i) => build(await client.prepare(text, `document-${i}.md`))),
      count,
    },
    {
      ...who,
      name: 'service, from POST /index/build to SUCCESS',
      prepare: prepareAll,
      run: (prepared) => eachOf(prepared, inFlight, build),
      count,
    },
  ];
}

async function countIndexed(client, documents) {
  const views = await Promise.all(documents.map(({ prepared }) => client.get(`/documents/${prepared.documentId}`)));
  return {
    documents,
    chunks: views.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
    tokens: views.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
  };
}

/** Works on `width` items at a time; gives what became of each, in their order. */
async function eachOf(items, width, work) {
  const done = [];
  let next = 0;
  const workOff = async () => {
    while (next < items.length) {
      const at = next++;
      done[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: width }, workOff));
  return done;
}

function hasLangChain() {
  try {
    createRequire(import.meta.url).resolve('@langchain/textsplitters');
    return true;
  } catch {
    console.log('LangChain is left out: its packages are not installed (see bench/README.md).');
    return false;
  }
}
