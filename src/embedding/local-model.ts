import { access, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddingConfig } from '../config/app-config.js';
import type { EmbeddingModel } from '../domain/build-spec.js';
import { AppError } from '../domain/errors.js';
import { packageRoot } from './package-root.js';

/** A model whose files lie on this machine, in the layout of the Hugging Face hub. */
export interface LocalModel {
  readonly model: EmbeddingModel;
  /** Absolute path. Not for answers. */
  readonly folder: string;
  /** The weights, relative to the folder. */
  readonly weights: string;
  /** Size of the weights, external data included, in MB. */
  readonly weightsMb: number;
}

type Json = Readonly<Record<string, unknown>>;

/** The quantised weights first: they are what a bundled model has, and what a CPU computes fastest. */
const weightFiles = ['onnx/model_quantized.onnx', 'onnx/model.onnx'];

/**
 * Finds the configured model and reads what identifies its vectors.
 *
 * @param modelsDir where bundled models lie; undefined for `models` beside the program
 * @throws AppError MODEL_NOT_AVAILABLE, which names the file that is missing or the setting that makes no sense
 */
export async function findLocalModel(config: EmbeddingConfig, modelsDir: string | undefined): Promise<LocalModel> {
  const folder = folderOf(config.model, modelsDir);
  const id = basename(folder);
  await requireFile(folder, id, '');
  const tokenizer = await readJson(folder, id, 'tokenizer_config.json');
  const architecture = await readJson(folder, id, 'config.json');
  await requireFile(folder, id, 'tokenizer.json');
  const weights = await firstOf(folder, id, weightFiles);
  const model: EmbeddingModel = {
    id,
    dimension: positive(id, 'config.json', architecture['hidden_size'] ?? architecture['dim'], 'hidden_size'),
    maxTokens: Math.min(
      config.maxTokens,
      positive(
        id,
        'config.json',
        architecture['max_position_embeddings'] ?? config.maxTokens,
        'max_position_embeddings',
      ),
      positive(id, 'tokenizer_config.json', tokenizer['model_max_length'] ?? config.maxTokens, 'model_max_length'),
    ),
    pooling: await poolingOf(folder, id),
    queryPrefix: config.queryPrefix,
    passagePrefix: config.passagePrefix,
  };
  return { model, folder, weights, weightsMb: await sizeMb(join(folder, weights)) };
}

/** A name alone is a bundled model; anything with a separator is a path. */
function folderOf(model: string, modelsDir: string | undefined): string {
  if (/[\\/]/.test(model) || model.startsWith('.')) return resolve(model);
  return join(resolve(modelsDir ?? fileURLToPath(new URL('models', packageRoot()))), model);
}

/** Models made with sentence-transformers say how they pool; the mean is the rule where nothing is said. */
async function poolingOf(folder: string, id: string): Promise<EmbeddingModel['pooling']> {
  const file = '1_Pooling/config.json';
  if (!(await exists(join(folder, file)))) return 'mean';
  const pooling = await readJson(folder, id, file);
  if (pooling['pooling_mode_cls_token'] === true) return 'cls';
  if (pooling['pooling_mode_mean_tokens'] === true) return 'mean';
  throw notAvailable(id, file, `its file ${file} asks for a pooling other than the mean or the first token`);
}

async function readJson(folder: string, id: string, file: string): Promise<Json> {
  await requireFile(folder, id, file);
  try {
    return JSON.parse(await readFile(join(folder, file), 'utf8')) as Json;
  } catch (cause) {
    throw notAvailable(id, file, `its file ${file} cannot be read`, cause);
  }
}

async function firstOf(folder: string, id: string, files: readonly string[]): Promise<string> {
  for (const file of files) if (await exists(join(folder, file))) return file;
  throw notAvailable(id, files[0] ?? '', `its file ${files.join(' or ')} is missing`);
}

/** Weights over 2 GB lie in a second file, which the first refers to. */
async function sizeMb(weights: string): Promise<number> {
  const external = `${weights}_data`;
  const files = (await exists(external)) ? [weights, external] : [weights];
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / (1024 * 1024));
}

async function requireFile(folder: string, id: string, file: string): Promise<void> {
  if (await exists(join(folder, file))) return;
  throw notAvailable(id, file, file === '' ? 'there is no folder of that name' : `its file ${file} is missing`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function positive(id: string, file: string, value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 1) return Math.floor(value);
  throw notAvailable(id, file, `its file ${file} gives no ${name}`);
}

function notAvailable(model: string, file: string, why: string, cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError(
    'MODEL_NOT_AVAILABLE',
    `The embedding model ${model} cannot be used: ${why}.`,
    { model, file },
    options,
  );
}
