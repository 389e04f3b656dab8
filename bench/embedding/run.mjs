// Local embedding: the service's embedder against the ONNX runtime driven by hand in the same layout.
//
//   npm run build && node bench/embedding/run.mjs
//   node --import ./ts-loader.mjs bench/embedding/run.mjs        (from the sources)
//
// With the packages of bench/package.json installed, LangChain's local embeddings run as well. Rounds are interleaved; a
// ratio is the median over rounds of the ratio within a round. Tokens per CPU second, the parent's share included, say what
// the work costs even where other processes take turns on the same cores. Linux only.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { childrenOf, cpuSeconds } from './cpu-time.mjs';
import { makeTexts } from './texts.mjs';
import { median, table } from '../statistics.mjs';

const rounds = Number(process.env.ROUNDS ?? 9);
const count = Number(process.env.TEXTS ?? 160);
const processes = Number(process.env.EMBEDDING_PROCESSES ?? 2);
const seed = 20_260;
const batch = 32;
const modelFolder = fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url));
const texts = makeTexts(count, seed);

const raw = await Promise.all(
  Array.from({ length: processes }, (_, part) => startChild('./raw-child.mjs', { part, parts: processes })),
);
const embedder = await startEmbedder();
const langchain = await startLangChain();
const { tokens, first } = raw[0].hello;
const [ours] = await embedder.embed([texts[0]], 'passage');

const rawPids = raw.map((child) => child.process.pid);
const peerPids = langchain ? [langchain.process.pid] : [];
const ourPids = childrenOf(process.pid).filter((pid) => ![...rawPids, ...peerPids].includes(pid));
const oneCall = () => embedder.embed(texts, 'passage');

const variants = [
  { name: `raw runtime, ${processes} processes × 1 thread`, pids: rawPids, run: () => Promise.all(raw.map(runChild)) },
  { name: 'embedder, all texts in one call', pids: ourPids, run: oneCall },
  { name: `embedder, two documents in batches of ${batch}`, pids: ourPids, run: embedTwoDocuments },
  ...(langchain
    ? [{ name: 'LangChain HuggingFaceTransformersEmbeddings', pids: peerPids, run: () => runChild(langchain) }]
    : []),
];
const results = variants.map(() => ({ perSecond: [], perCpuSecond: [] }));
try {
  for (let round = -1; round < rounds; round += 1) {
    for (const [v, variant] of variants.entries()) {
      const pids = [process.pid, ...variant.pids];
      const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids)];
      await variant.run();
      const [seconds, cpu] = [(performance.now() - startedAt) / 1000, cpuSeconds(pids) - cpuBefore];
      if (round < 0) continue; // warm-up
      results[v].perSecond.push(tokens / seconds);
      results[v].perCpuSecond.push(tokens / cpu);
    }
  }
  report();
} finally {
  await embedder.stop();
  for (const child of [...raw, ...(langchain ? [langchain] : [])]) child.process.disconnect();
}

function report() {
  console.log(`${rounds} rounds, ${count} texts, ${tokens} tokens (mean ${Math.round(tokens / count)})`);
  console.log(`cosine to the raw runtime's vector of the same text: ${cosine(ours, first).toFixed(6)}\n`);
  const [base] = results;
  table(
    ['variant', 'tokens/s', 'best', 'to raw', 'tokens per CPU second', 'to raw'],
    results.map(({ perSecond, perCpuSecond }, v) => [
      variants[v].name,
      Math.round(median(perSecond)),
      Math.round(Math.max(...perSecond)),
      median(perSecond.map((rate, round) => rate / base.perSecond[round])).toFixed(2),
      Math.round(median(perCpuSecond)),
      median(perCpuSecond.map((rate, round) => rate / base.perCpuSecond[round])).toFixed(2),
    ]),
  );
}

/** As the worker does it: two builds side by side, each batch after the one before. */
async function embedTwoDocuments() {
  const half = Math.ceil(count / 2);
  await Promise.all(
    [texts.slice(0, half), texts.slice(half)].map(async (document) => {
      for (let at = 0; at < document.length; at += batch)
        await embedder.embed(document.slice(at, at + batch), 'passage');
    }),
  );
}

async function startEmbedder() {
  const code = process.execArgv.some((option) => option.includes('ts-loader')) ? '../../src/' : '../../dist/src/';
  const { loadConfig } = await import(`${code}config/app-config.js`);
  const { findLocalModel } = await import(`${code}embedding/local-model.js`);
  const { silentLogger } = await import(`${code}logging/logger.js`);
  const { TransformersEmbedder } = await import(`${code}adapters/transformers/transformers-embedder.js`);
  const { embedding } = loadConfig({ EMBEDDING_PROCESSES: String(processes) });
  const embedder = new TransformersEmbedder(await findLocalModel(embedding, undefined), embedding, silentLogger);
  await embedder.start();
  return embedder;
}

async function startLangChain() {
  try {
    createRequire(import.meta.url).resolve('@langchain/community/embeddings/huggingface_transformers');
  } catch {
    console.log('LangChain is left out: its packages are not installed (npm install --prefix bench).');
    return undefined;
  }
  return startChild('./langchain-child.mjs', {});
}

async function startChild(program, extra) {
  const child = fork(new URL(program, import.meta.url), [JSON.stringify({ modelFolder, count, seed, ...extra })], {
    execArgv: [],
  });
  const [hello] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => failed(program, code)),
  ]);
  return { process: child, hello };
}

async function runChild({ process: child }) {
  child.send('run');
  await once(child, 'message');
}

function failed(program, code) {
  throw new Error(`${program} ended with code ${code}`);
}

function cosine(a, b) {
  return a.reduce((sum, value, at) => sum + value * b[at], 0);
}
