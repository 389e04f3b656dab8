// One process of the floor: cuts, embeds and writes by hand, on one thread.
import { createRequire } from 'node:module';
import path from 'node:path';
import { AutoTokenizer, env } from '@xenova/transformers';
import pg from 'pg';
import { cut } from './scan-cutter.mjs';
import { writeDocument } from './floor-table.mjs';

const { modelFolder, databaseUrl } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
const { InferenceSession, Tensor } = createRequire(require.resolve('@xenova/transformers'))('onnxruntime-node');

env.allowRemoteModels = false;
env.localModelPath = path.dirname(modelFolder);
const tokenizer = await AutoTokenizer.from_pretrained(path.basename(modelFolder));
const session = await InferenceSession.create(path.join(modelFolder, 'onnx/model_quantized.onnx'), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const client = new pg.Client(databaseUrl);
await client.connect();
let tokens = 0;

async function embed(text) {
  const ids = BigInt64Array.from(tokenizer.encode(text), BigInt);
  tokens += ids.length;
  const dims = [1, ids.length];
  const { last_hidden_state: states } = await session.run({
    input_ids: new Tensor('int64', ids, dims),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), dims),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), dims),
  });
  const [, length, width] = states.dims;
  const vector = new Float32Array(width);
  for (let i = 0; i < length; i += 1) for (let k = 0; k < width; k += 1) vector[k] += states.data[i * width + k];
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / norm);
}

async function embedAll(texts) {
  const vectors = [];
  for (const text of texts) vectors.push(await embed(text));
  return vectors;
}

/** A whole document, if `text` is given; else the vectors of `texts`. */
process.on('message', async ({ documentId, text, texts }) => {
  tokens = 0;
  const pieces = texts ?? cut(text).map(([from, to]) => text.slice(from, to));
  const vectors = await embedAll(pieces);
  if (text !== undefined) await writeDocument(client, documentId, pieces, vectors);
  process.send({ tokens, chunks: pieces.length, ...(texts ? { vectors } : {}) });
});
process.on('disconnect', () => process.exit());
await embed('ready');
process.send('ready');
