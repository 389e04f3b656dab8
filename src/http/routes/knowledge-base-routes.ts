import type { DeleteContent } from '../../builds/delete-content.js';
import type { ReadTasks } from '../../progress/read-tasks.js';
import type { ChangeKnowledgeBase } from '../../knowledge-bases/change-knowledge-base.js';
import type { CreateKnowledgeBase } from '../../knowledge-bases/create-knowledge-base.js';
import type { ReadKnowledgeBases } from '../../knowledge-bases/read-knowledge-bases.js';
import { accepted, created, ok } from '../answer.js';
import { ChangeKnowledgeBaseRequest, CreateKnowledgeBaseRequest } from '../requests/knowledge-base-requests.js';
import { json, route, type Route } from '../route.js';
import { DeletedView } from '../views/deleted-view.js';
import { taskView } from '../views/task-view.js';
import { KnowledgeBaseView, knowledgeBaseView } from '../views/knowledge-base-view.js';

export interface KnowledgeBaseUseCases {
  readonly createKnowledgeBase: Pick<CreateKnowledgeBase, 'create'>;
  readonly readKnowledgeBases: Pick<ReadKnowledgeBases, 'get' | 'list'>;
  readonly changeKnowledgeBase: Pick<ChangeKnowledgeBase, 'change'>;
  readonly deleteContent: Pick<DeleteContent, 'deleteBase'>;
  readonly readTasks: Pick<ReadTasks, 'get'>;
}

const tag = 'Knowledge bases';

/** Making, finding and changing knowledge bases. */
export function knowledgeBaseRoutes(useCases: KnowledgeBaseUseCases): readonly Route[] {
  const { createKnowledgeBase, readKnowledgeBases, changeKnowledgeBase, deleteContent, readTasks } = useCases;
  return [
    route({
      method: 'POST',
      path: '/knowledge-bases',
      tag,
      summary: 'Make a knowledge base',
      creates: true,
      body: json(CreateKnowledgeBaseRequest),
      responses: { 201: { description: 'The new base.', shape: KnowledgeBaseView } },
      refusals: ['NAME_TAKEN', 'MODEL_NOT_AVAILABLE'],
      handle: async ({ tenantId, body, once }) =>
        created(knowledgeBaseView(await createKnowledgeBase.create(tenantId, body, once))),
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
    route({
      method: 'DELETE',
      path: '/knowledge-bases/:knowledgeBaseId',
      tag,
      summary: 'Delete a knowledge base with all that it holds',
      description: 'Its tasks are cancelled and it is found nowhere from this moment; a task removes the rest.',
      responses: { 202: { description: 'The task that removes the rest.', shape: DeletedView } },
      refusals: ['KNOWLEDGE_BASE_NOT_FOUND', 'DEFAULT_KNOWLEDGE_BASE'],
      handle: async ({ tenantId, params, language }) => {
        const taskId = await deleteContent.deleteBase(tenantId, params.knowledgeBaseId);
        const task = taskView(await readTasks.get(tenantId, taskId), language);
        return accepted({ task }, { Location: `/tasks/${taskId}` });
      },
    }),
  ];
}
