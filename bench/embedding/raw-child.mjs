// The floor: tokenizer, session and pooling by hand, one text a run, one thread. Holds its texts; nothing crosses to the
// parent but the word to begin and to have ended.
import { createRequire } from 'node:module';
import path from 'node:path';
import { AutoTokenizer, env } from '@xenova/transformers';
import { makeTexts } from './texts.mjs';

const { modelFolder, count, seed, part, parts } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
const { InferenceSession, Tensor } = createRequire(require.resolve('@xenova/transformers'))('onnxruntime-node');

env.allowRemoteModels = false;
env.localModelPath = path.dirname(modelFolder);
const tokenizer = await AutoTokenizer.from_pretrained(path.basename(modelFolder));
const session = await InferenceSession.create(path.join(modelFolder, 'onnx/model_quantized.onnx'), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const all = makeTexts(count, seed);
const tokens = all.map((text) => tokenizer.encode(text).length);
// Dealt out by length, so that the processes end together.
const mine = all.toSorted((a, b) => b.length - a.length).filter((_, at) => at % parts === part);

async function embed(text) {
  const ids = BigInt64Array.from(tokenizer.encode(text), BigInt);
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

process.on('message', async () => {
  for (const text of mine) await embed(text);
  process.send('done');
});
process.on('disconnect', () => process.exit());
process.send({ tokens: tokens.reduce((a, b) => a + b), first: Array.from(await embed(all[0])) });
