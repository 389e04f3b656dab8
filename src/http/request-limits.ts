import type { HttpConfig } from '../config/app-config.js';
import type { ChunkLimits } from '../domain/text/chunk.js';

/** Largest page of any list; more is refused, nothing is clamped. */
export const listLimit = 200;
/** Items of a page where the caller names no limit. */
export const listDefault = 50;

/** Bounds that requests are held against, as configured. Lengths count code points. */
export type RequestLimits = Pick<
  HttpConfig,
  'titleLength' | 'fileNameLength' | 'planSteps' | 'documentIds' | 'queryLength' | 'topK' | 'waitMs'
>;
export type LimitName = keyof RequestLimits;

/** Everything that `GET /limits` tells. */
export interface ServiceLimits extends RequestLimits, Pick<HttpConfig, 'uploadBytes' | 'jsonBytes'> {
  readonly listLimit: number;
  readonly chunk: ChunkLimits;
}

/** The limits of the service, from its configuration and the embedding model's chunk limits. */
export function serviceLimits(config: HttpConfig, chunk: ChunkLimits): ServiceLimits {
  const { uploadBytes, jsonBytes, titleLength, fileNameLength, planSteps, documentIds, queryLength, topK, waitMs } =
    config;
  return {
    uploadBytes,
    jsonBytes,
    titleLength,
    fileNameLength,
    planSteps,
    documentIds,
    queryLength,
    topK,
    waitMs,
    listLimit,
    chunk,
  };
}
