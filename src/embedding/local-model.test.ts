import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { loadConfig, type EmbeddingConfig } from '../config/app-config.js';
import { findLocalModel } from './local-model.js';

const made: string[] = [];
let folder: string;

function config(env: Record<string, string> = {}): EmbeddingConfig {
  return loadConfig(env).embedding;
}

async function put(file: string, content: unknown): Promise<void> {
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-'));
  made.push(folder);
  await put('config.json', { hidden_size: 768, max_position_embeddings: 514 });
  await put('tokenizer_config.json', { model_max_length: 512 });
  await put('tokenizer.json', '{}');
  await put('onnx/model.onnx', '');
});

afterAll(async () => {
  await Promise.all(made.map((path) => rm(path, { recursive: true })));
});

describe('findLocalModel', () => {
  it('finds the bundled model by its name', async () => {
    const { model, weights, weightsMb } = await findLocalModel(config(), undefined);
    expect(weightsMb).toBe(22);
    expect(model).toEqual({
      id: 'all-MiniLM-L6-v2',
      dimension: 384,
      maxTokens: 256,
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
    });
    expect(weights).toBe('onnx/model_quantized.onnx');
  });

  it('finds a model by its path and names it after its folder', async () => {
    const { model, ...files } = await findLocalModel(config({ EMBEDDING_MODEL: folder }), undefined);
    expect(model).toMatchObject({ id: basename(folder), dimension: 768, pooling: 'mean' });
    expect(files).toEqual({ folder, weights: 'onnx/model.onnx', weightsMb: 0 });
  });

  it('looks for names in the folder of models that is set', async () => {
    const env = { EMBEDDING_MODEL: basename(folder) };
    await expect(findLocalModel(config(env), tmpdir())).resolves.toMatchObject({ folder });
    await expect(findLocalModel(config(env), undefined)).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
  });

  it.each([
    ['256', 256],
    ['8192', 512],
  ])('takes at most what both the setting and the model allow: %s', async (setting, expected) => {
    const env = { EMBEDDING_MODEL: folder, EMBEDDING_MAX_TOKENS: setting };
    expect((await findLocalModel(config(env), undefined)).model.maxTokens).toBe(expected);
  });

  it('takes the positions as the limit where the tokenizer gives none that makes sense', async () => {
    await put('tokenizer_config.json', '{"model_max_length":1000000000000000019884624838656}');
    const env = { EMBEDDING_MODEL: folder, EMBEDDING_MAX_TOKENS: '8192' };
    expect((await findLocalModel(config(env), undefined)).model.maxTokens).toBe(514);
  });

  it('reads how the model pools, and the prefixes from the settings', async () => {
    await put('1_Pooling/config.json', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
    const env = { EMBEDDING_MODEL: folder, EMBEDDING_QUERY_PREFIX: 'query: ', EMBEDDING_PASSAGE_PREFIX: 'passage: ' };
    expect((await findLocalModel(config(env), undefined)).model).toMatchObject({
      pooling: 'cls',
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    });
    await put('1_Pooling/config.json', { pooling_mode_max_tokens: true });
    await expect(findLocalModel(config(env), undefined)).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
  });

  it('counts weights that lie in a second file', async () => {
    await put('onnx/model.onnx_data', 'x'.repeat(3 * 1024 * 1024));
    const { weightsMb } = await findLocalModel(config({ EMBEDDING_MODEL: folder }), undefined);
    expect(weightsMb).toBe(3);
  });

  it('prefers quantised weights', async () => {
    await put('onnx/model_quantized.onnx', '');
    const { weights } = await findLocalModel(config({ EMBEDDING_MODEL: folder }), undefined);
    expect(weights).toBe('onnx/model_quantized.onnx');
  });

  it.each(['config.json', 'tokenizer_config.json', 'tokenizer.json', 'onnx/model.onnx'])(
    'names the missing file %s and no path',
    async (file) => {
      await rm(join(folder, file));
      const refused = findLocalModel(config({ EMBEDDING_MODEL: folder }), undefined);
      await expect(refused).rejects.toMatchObject({ code: 'MODEL_NOT_AVAILABLE' });
      await expect(refused).rejects.toThrow(file);
      await expect(refused).rejects.not.toThrow(tmpdir());
    },
  );

  it('says that there is no such model', async () => {
    const env = { EMBEDDING_MODEL: 'no-such-model' };
    await expect(findLocalModel(config(env), undefined)).rejects.toThrow(
      'The embedding model no-such-model cannot be used: there is no folder of that name.',
    );
  });

  it('refuses a configuration that is damaged or gives no dimension', async () => {
    await put('config.json', '{');
    const env = { EMBEDDING_MODEL: folder };
    await expect(findLocalModel(config(env), undefined)).rejects.toThrow('its file config.json cannot be read');
    await put('config.json', { max_position_embeddings: 512 });
    await expect(findLocalModel(config(env), undefined)).rejects.toThrow('its file config.json gives no hidden_size');
  });
});
