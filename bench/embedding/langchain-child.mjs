// LangChain's local embeddings as they come. In a process of its own: its ONNX runtime must not meet ours.
import path from 'node:path';
import { makeTexts } from './texts.mjs';

const { modelFolder, count, seed } = JSON.parse(process.argv[2]);
const { env } = await import('@huggingface/transformers');
env.allowRemoteModels = false;
env.localModelPath = path.dirname(modelFolder);
const { HuggingFaceTransformersEmbeddings } = await import('@langchain/community/embeddings/huggingface_transformers');
const embeddings = new HuggingFaceTransformersEmbeddings({
  model: path.basename(modelFolder),
  pretrainedOptions: { dtype: 'q8' },
});
const texts = makeTexts(count, seed);

process.on('message', async () => {
  await embeddings.embedDocuments(texts);
  process.send('done');
});
process.on('disconnect', () => process.exit());
process.send({ first: await embeddings.embedQuery(texts[0]) });
