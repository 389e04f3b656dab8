// The two sides of the comparison: this project's cutting, and LangChain's recursive splitter with the same limit.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const modelFolder = fileURLToPath(new URL('../../models/all-MiniLM-L6-v2', import.meta.url));
const limits = { PARENT: { maxTokens: 4_096, maxChars: 16_000 }, CHILD: { maxTokens: 256, maxChars: 2_000 } };
const charLimits = { PARENT: { maxTokens: 16_000, maxChars: 16_000 }, CHILD: { maxTokens: 1_000, maxChars: 2_000 } };

/** Counts every UTF-16 unit as a token, as LangChain does by default. */
const unitCounter = {
  specialTokens: 0,
  count: (text) => text.length,
  map: (text) => ({
    tokens: text.length,
    unknownTokens: 0,
    exact: true,
    count: (start, end) => end - start,
    fit: (start, end, budget) => Math.min(end, start + budget),
    fitBack: (start, end, budget) => Math.max(start, end - budget),
  }),
};

/** Cutters of this project: parents and children, offsets, heading paths and the coverage proof. */
export async function ourCutters() {
  const { cutDocument } = await import('../../src/chunking/cut-document.ts');
  const { packBlocks, unpackBlocks } = await import('../../src/chunking/thread/block-columns.ts');
  const { loadTokenCounter } = await import('../../src/chunking/tokens/load-token-counter.ts');
  const { parseMarkdown } = await import('../../src/documents/parsing/parse-markdown.ts');
  const counter = await loadTokenCounter(modelFolder);
  const step = (level, strategy, params = {}) => ({ level, strategy, params });
  const cut = (steps, own, count) => (text, blocks) => cutDocument({ text, blocks, steps, limits: own }, count);
  const bySize = [step('PARENT', 2, { maxTokens: 16_000 }), step('CHILD', 2, { maxTokens: 1_000 })];
  return {
    // The blocks as the chunking thread gets them.
    blocksOf: (text) => unpackBlocks(packBlocks(parseMarkdown(text, 10_000_000))),
    tokens: cut([step('PARENT', 1), step('CHILD', 2)], limits, counter),
    chars: cut(bySize, charLimits, unitCounter),
  };
}

/** Cutters of LangChain, or undefined if it is not installed. */
export async function langchainCutters() {
  const splitters = await import('@langchain/textsplitters').catch(() => undefined);
  if (!splitters) return undefined;
  const { AutoTokenizer, env } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(modelFolder);
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(modelFolder));
  const { RecursiveCharacterTextSplitter } = splitters;
  const byTokens = new RecursiveCharacterTextSplitter({
    chunkSize: 256,
    chunkOverlap: 0,
    lengthFunction: (text) => tokenizer.encode(text).length,
  });
  const byChars = new RecursiveCharacterTextSplitter({ chunkSize: 1_000, chunkOverlap: 0 });
  return {
    tokens: (text) => byTokens.splitText(text),
    chars: (text) => byChars.splitText(text),
    documents: (text) => byChars.createDocuments([text]),
  };
}
