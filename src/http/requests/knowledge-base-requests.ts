import { TextField } from '../fields/text-fields.js';

const language = { description: 'Main language of its documents, as an ISO code.', example: 'en', maxLength: 35 };
const embeddingModel = { description: 'A model that is available here.', example: 'all-MiniLM-L6-v2', maxLength: 200 };
const description = { description: 'What it holds.', example: 'Manuals of all pumps', maxLength: 2_000 };
const name = {
  description: 'Unique within the tenant; blanks at both ends do not count.',
  example: 'pump-manuals',
  minLength: 1,
  maxLength: 'titleLength',
} as const;

/** Body of `POST /knowledge-bases`. */
export class CreateKnowledgeBaseRequest {
  @TextField(name)
  name!: string;

  @TextField({ ...description, optional: true })
  description?: string;

  @TextField({ ...embeddingModel, optional: true, minLength: 1 })
  embeddingModel?: string;

  @TextField({ ...language, optional: true, minLength: 1 })
  language?: string;
}

/** Body of `PATCH /knowledge-bases/:knowledgeBaseId`: what is absent stays; null takes a description or language away. */
export class ChangeKnowledgeBaseRequest {
  @TextField({ ...name, optional: true })
  name?: string;

  @TextField({ ...description, optional: true, nullable: true })
  description?: string | null;

  @TextField({ ...embeddingModel, optional: true, minLength: 1 })
  embeddingModel?: string;

  @TextField({ ...language, optional: true, nullable: true, minLength: 1 })
  language?: string | null;
}
