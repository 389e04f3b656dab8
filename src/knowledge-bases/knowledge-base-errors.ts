import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';

export function knowledgeBaseNotFound(knowledgeBaseId: Id): AppError {
  return new AppError('KNOWLEDGE_BASE_NOT_FOUND', `There is no knowledge base ${knowledgeBaseId}.`, {
    knowledgeBaseId,
  });
}

export function nameTaken(): AppError {
  return new AppError('NAME_TAKEN', 'Another knowledge base has this name.');
}
