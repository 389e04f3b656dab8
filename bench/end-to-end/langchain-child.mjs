// LangChain JS as it comes: its splitter, its local embeddings, its store. In a process of its own: its ONNX runtime must
// not meet ours.
import path from 'node:path';

const { modelFolder, databaseUrl } = JSON.parse(process.argv[2]);
const { env } = await import('@huggingface/transformers');
env.allowRemoteModels = false;
env.localModelPath = path.dirname(modelFolder);
const { RecursiveCharacterTextSplitter } = await import('@langchain/textsplitters');
const { HuggingFaceTransformersEmbeddings } = await import('@langchain/community/embeddings/huggingface_transformers');
const { PGVectorStore } = await import('@langchain/community/vectorstores/pgvector');

const splitter = new RecursiveCharacterTextSplitter();
const embeddings = new HuggingFaceTransformersEmbeddings({
  model: path.basename(modelFolder),
  pretrainedOptions: { dtype: 'q8' },
});
const store = await PGVectorStore.initialize(embeddings, {
  postgresConnectionOptions: { connectionString: databaseUrl },
  tableName: 'langchain_chunk',
  dimensions: 384,
});

async function index(documents) {
  let chunks = 0;
  for (const text of documents) {
    const pieces = await splitter.createDocuments([text]);
    await store.addDocuments(pieces);
    chunks += pieces.length;
  }
  return { chunks };
}

process.on('message', async ({ documents }) => process.send(await index(documents)));
process.on('disconnect', () => process.exit());
await embeddings.embedQuery('ready');
process.send('ready');
