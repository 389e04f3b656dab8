import type { HttpConfig, ProcessConfig } from '../config/app-config.js';
import type { ChunkLimits } from '../domain/text/chunk.js';
import type { Logger } from '../logging/logger.js';
import { createApplication } from './application.js';
import { HttpServer } from './http-server.js';
import { serviceLimits } from './request-limits.js';
import type { Route } from './route.js';
import { buildRoutes, type BuildUseCases } from './routes/build-routes.js';
import { documentRoutes, type DocumentUseCases } from './routes/document-routes.js';
import { knowledgeBaseRoutes, type KnowledgeBaseUseCases } from './routes/knowledge-base-routes.js';
import { planRoutes, type PlanUseCases } from './routes/plan-routes.js';
import { searchRoutes, type SearchUseCases } from './routes/search-routes.js';
import { serviceRoutes, type ServiceFacts } from './routes/service-routes.js';
import { taskRoutes, type TaskUseCases } from './routes/task-routes.js';

/** Everything that the API calls. */
export type HttpUseCases = KnowledgeBaseUseCases &
  DocumentUseCases &
  PlanUseCases &
  BuildUseCases &
  TaskUseCases &
  SearchUseCases;

export interface HttpDependencies extends HttpUseCases, Omit<ServiceFacts, 'limits'> {
  readonly config: HttpConfig;
  readonly stopGraceMs: ProcessConfig['stopGraceMs'];
  /** Hard limits of chunks, the embedding model's own among them. */
  readonly chunkLimits: ChunkLimits;
  readonly log: Logger;
}

/** The whole route table: server, checks and documentation are made from it. */
export function apiRoutes(parts: HttpUseCases & ServiceFacts): readonly Route[] {
  return [
    ...knowledgeBaseRoutes(parts),
    ...documentRoutes(parts),
    ...planRoutes(parts),
    ...buildRoutes(parts),
    ...taskRoutes(parts),
    ...searchRoutes(parts),
    ...serviceRoutes(parts),
  ];
}

/** Joins the use cases to a server that is ready to be started. */
export function createHttpServer(dependencies: HttpDependencies): HttpServer {
  const { config, stopGraceMs, chunkLimits, log } = dependencies;
  const limits = serviceLimits(config, chunkLimits);
  const stopping = new AbortController();
  const routes = apiRoutes({ ...dependencies, limits });
  const application = createApplication({ routes, limits, log, stopping: stopping.signal });
  const { host, port, requestTimeoutMs } = config;
  return new HttpServer(application, { host, port, requestTimeoutMs, stopGraceMs }, stopping);
}
