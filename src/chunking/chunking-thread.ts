import { parentPort, workerData } from 'node:worker_threads';
import { cutDocument } from './cut-document.js';
import { measureFeatures } from './measure-features.js';
import { unpackBlocks } from './thread/block-columns.js';
import { packCut, transfersOf } from './thread/packed-chunks.js';
import {
  packError,
  type ThreadAnswer,
  type ThreadData,
  type ThreadOrder,
  type Work,
} from './thread/thread-messages.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';
import type { TokenCounter } from './token-counter.js';

/** Entry of the thread that cuts and measures: one text after the other, as the chunker sends them. */
async function serve(): Promise<void> {
  const counter = await loadTokenCounter((workerData as ThreadData).modelFolder);
  let parts: string[] = [];
  parentPort?.on('message', (order: ThreadOrder) => {
    if (order.kind === 'part') {
      parts.push(order.text);
      return;
    }
    const text = parts.join('');
    parts = [];
    answer(() => work(text, order.blocks, order.work, counter));
  });
  send({ kind: 'ready' });
}

function work(text: string, blocks: Int32Array, asked: Work, counter: TokenCounter): ThreadAnswer {
  const input = { text, blocks: unpackBlocks(blocks) };
  if (asked.kind === 'measure') return { kind: 'measured', features: measureFeatures(input, counter) };
  const cut = cutDocument({ ...input, steps: asked.steps, limits: asked.limits }, counter);
  return { kind: 'cut', cut: packCut(cut, text) };
}

function answer(make: () => ThreadAnswer): void {
  try {
    send(make());
  } catch (error) {
    send({ kind: 'failed', error: packError(error) });
  }
}

function send(message: ThreadAnswer): void {
  parentPort?.postMessage(message, message.kind === 'cut' ? transfersOf(message.cut) : []);
}

serve().catch((error: unknown) => {
  send({ kind: 'failed', error: packError(error) });
});
