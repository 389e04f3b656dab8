import type { BuildSpec, EmbeddingModel } from '../../domain/build-spec.js';
import { AppError } from '../../domain/errors.js';
import { chunkerVersion } from '../../domain/text/chunk.js';
import type { ClaimedTask } from '../../database/repositories/task-lease-repository.js';

/**
 * The frozen spec of a task, if this worker can carry it out to the letter.
 *
 * @throws AppError SPEC_NOT_EXECUTABLE when model or chunker are not those that were confirmed.
 */
export function requireSpec(
  task: Pick<ClaimedTask, 'id' | 'buildSpec'>,
  here: { readonly model: EmbeddingModel; readonly segmenterVersion: number },
): BuildSpec {
  const spec = task.buildSpec;
  if (!spec) throw new Error(`index task ${task.id} has no build spec`);
  if (!sameModel(spec.model, here.model)) {
    throw new AppError(
      'SPEC_NOT_EXECUTABLE',
      `The build was confirmed for the model ${spec.model.id}; this worker has ${here.model.id}.`,
    );
  }
  if (spec.chunkerVersion !== chunkerVersion || spec.segmenterVersion !== here.segmenterVersion) {
    throw new AppError('SPEC_NOT_EXECUTABLE', 'The build was confirmed for another version of this service.');
  }
  return spec;
}

function sameModel(a: EmbeddingModel, b: EmbeddingModel): boolean {
  return (
    a.id === b.id &&
    a.dimension === b.dimension &&
    a.maxTokens === b.maxTokens &&
    a.pooling === b.pooling &&
    a.queryPrefix === b.queryPrefix &&
    a.passagePrefix === b.passagePrefix
  );
}
