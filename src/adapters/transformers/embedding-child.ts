import { serveRequests } from '../../processes/serve-requests.js';
import type { EmbeddingInit, EmbeddingRequest } from './embedding-request.js';
import { OnnxModel } from './onnx-model.js';

serveRequests<EmbeddingInit, EmbeddingRequest, Float32Array>(async (local) => {
  const model = await OnnxModel.load(local);
  return async ({ texts }) => {
    const vectors = new Float32Array(texts.length * local.model.dimension);
    for (const [at, text] of texts.entries()) vectors.set(await model.embed(text), at * local.model.dimension);
    return vectors;
  };
});
