import type { Route } from './route.js';
import { adminRoutes, type AdminUseCases } from './routes/admin-routes.js';
import { batchRoutes, type BatchUseCases } from './routes/batch-routes.js';
import { buildRoutes, type BuildUseCases } from './routes/build-routes.js';
import { documentRoutes, type DocumentUseCases } from './routes/document-routes.js';
import { eventRoutes, type EventUseCases } from './routes/event-routes.js';
import { knowledgeBaseRoutes, type KnowledgeBaseUseCases } from './routes/knowledge-base-routes.js';
import { planRoutes, type PlanUseCases } from './routes/plan-routes.js';
import { searchRoutes, type SearchUseCases } from './routes/search-routes.js';
import { serviceRoutes, type ServiceFacts } from './routes/service-routes.js';
import { taskRoutes, type TaskUseCases } from './routes/task-routes.js';

/** Everything that the API calls and tells. */
export type ApiParts = KnowledgeBaseUseCases &
  DocumentUseCases &
  PlanUseCases &
  BuildUseCases &
  BatchUseCases &
  TaskUseCases &
  EventUseCases &
  SearchUseCases &
  AdminUseCases &
  ServiceFacts;

/** The whole route table: server, checks and documentation are made from it. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  return [
    ...knowledgeBaseRoutes(parts),
    ...documentRoutes(parts),
    ...planRoutes(parts),
    ...buildRoutes(parts),
    ...batchRoutes(parts),
    ...taskRoutes(parts),
    ...eventRoutes(parts),
    ...searchRoutes(parts),
    ...adminRoutes(parts),
    ...serviceRoutes(parts),
  ];
}
