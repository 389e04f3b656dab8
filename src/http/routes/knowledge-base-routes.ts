import type { ChangeKnowledgeBase } from '../../knowledge-bases/change-knowledge-base.js';
import type { CreateKnowledgeBase } from '../../knowledge-bases/create-knowledge-base.js';
import type { ReadKnowledgeBases } from '../../knowledge-bases/read-knowledge-bases.js';
import { created, ok } from '../answer.js';
import { ChangeKnowledgeBaseRequest, CreateKnowledgeBaseRequest } from '../requests/knowledge-base-requests.js';
import { json, route, type Route } from '../route.js';
import { KnowledgeBaseView, knowledgeBaseView } from '../views/knowledge-base-view.js';

export interface KnowledgeBaseUseCases {
  readonly createKnowledgeBase: Pick<CreateKnowledgeBase, 'create'>;
  readonly readKnowledgeBases: Pick<ReadKnowledgeBases, 'get' | 'list'>;
  readonly changeKnowledgeBase: Pick<ChangeKnowledgeBase, 'change'>;
}

const tag = 'Knowledge bases';

/** Making, finding and changing knowledge bases. */
export function knowledgeBaseRoutes(useCases: KnowledgeBaseUseCases): readonly Route[] {
  const { createKnowledgeBase, readKnowledgeBases, changeKnowledgeBase } = useCases;
  return [
    route({
      method: 'POST',
      path: '/knowledge-bases',
      tag,
      summary: 'Make a knowledge base',
      body: json(CreateKnowledgeBaseRequest),
      responses: { 201: { description: 'The new base.', shape: KnowledgeBaseView } },
      refusals: ['NAME_TAKEN', 'MODEL_NOT_AVAILABLE'],
      handle: async ({ tenantId, body }) =>
        created(knowledgeBaseView(await createKnowledgeBase.create(tenantId, body))),
    }),
    route({
      method: 'GET',
      path: '/knowledge-bases',
      tag,
      summary: 'List the knowledge bases, oldest first',
      list: 'id',
      responses: { 200: { description: 'A page of bases.', items: KnowledgeBaseView } },
      handle: async (request) =>
        ok(request.pageView(await readKnowledgeBases.list(request.tenantId, request.page), knowledgeBaseView)),
    }),
    route({
      method: 'GET',
      path: '/knowledge-bases/:knowledgeBaseId',
      tag,
      summary: 'Look at a knowledge base',
      responses: { 200: { description: 'The base.', shape: KnowledgeBaseView } },
      refusals: ['KNOWLEDGE_BASE_NOT_FOUND'],
      handle: async ({ tenantId, params }) =>
        ok(knowledgeBaseView(await readKnowledgeBases.get(tenantId, params.knowledgeBaseId))),
    }),
    route({
      method: 'PATCH',
      path: '/knowledge-bases/:knowledgeBaseId',
      tag,
      summary: 'Change a knowledge base',
      body: json(ChangeKnowledgeBaseRequest),
      responses: { 200: { description: 'The base as it is now.', shape: KnowledgeBaseView } },
      refusals: ['KNOWLEDGE_BASE_NOT_FOUND', 'NAME_TAKEN', 'MODEL_NOT_AVAILABLE', 'DEFAULT_KNOWLEDGE_BASE'],
      handle: async ({ tenantId, params, body }) =>
        ok(knowledgeBaseView(await changeKnowledgeBase.change(tenantId, params.knowledgeBaseId, body))),
    }),
  ];
}
