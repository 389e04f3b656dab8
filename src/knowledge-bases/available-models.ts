import { AppError } from '../domain/errors.js';

/** The embedding models that a base can be built with here. */
export interface AvailableModels {
  /** The one for bases that name none. */
  readonly standard: string;
  has(modelId: string): boolean;
}

/** Of the models there is exactly the one that is configured. */
export function onlyModel(modelId: string): AvailableModels {
  return { standard: modelId, has: (other) => other === modelId };
}

/** @throws AppError MODEL_NOT_AVAILABLE, naming the model that is. */
export function refuseUnavailable(models: AvailableModels, modelId: string | undefined): void {
  if (modelId === undefined || models.has(modelId)) return;
  throw new AppError('MODEL_NOT_AVAILABLE', `This embedding model is not available here; ${models.standard} is.`, {
    available: [models.standard],
  });
}
