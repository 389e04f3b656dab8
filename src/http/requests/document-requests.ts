import { indexStatusTable, type IndexStatus } from '../../domain/document/index-status.js';
import { parseStatusTable, type ParseStatus } from '../../domain/document/parse-status.js';
import { taskPriorityTable, type TaskPriority } from '../../domain/task/task-priority.js';
import { levels, type Level } from '../../domain/plan/strategy.js';
import { EncodingField } from '../fields/encoding-field.js';
import { IdField, IdTextField } from '../fields/id-fields.js';
import { FlagTextField, IntegerTextField } from '../fields/number-fields.js';
import { CodeTextField } from '../fields/structured-fields.js';
import { ChoiceField, TextField } from '../fields/text-fields.js';

/** Offsets and revisions are 32-bit in the database. */
const max = 2_147_483_647;

const revision = {
  description: 'A parsed text that is still kept; the newest if absent.',
  example: 1,
  min: 1,
  max,
  optional: true,
};

const priorityField = {
  description: 'BULK where many are sent: behind what people wait for. INTERACTIVE if absent.',
  example: 'BULK',
  table: taskPriorityTable,
  optional: true,
};

/** Fields of the form of `POST /documents`, beside the file. */
export class UploadFields {
  @IdTextField({
    description: 'The base it goes to; the default one if absent.',
    example: '241865211904000000',
    optional: true,
  })
  knowledgeBaseId?: string;

  @TextField({
    description: 'Its title; the file name if absent.',
    example: 'Pump handbook',
    maxLength: 'titleLength',
    optional: true,
  })
  title?: string;
}

/** Query of `POST /documents`. */
export class UploadQuery {
  @FlagTextField({
    description: 'Makes a new document even of bytes that are in the base already.',
    example: true,
    optional: true,
  })
  allowDuplicate?: boolean;

  @EncodingField({
    description: 'What to read the bytes as, instead of detecting it.',
    example: 'gb18030',
    optional: true,
  })
  encoding?: string;

  @CodeTextField(priorityField)
  priority?: TaskPriority;
}

/** Query of `DELETE /documents/:documentId`. */
export class DeletionQuery {
  @CodeTextField(priorityField)
  priority?: TaskPriority;
}

/** Fields of the form of `PUT /documents/:documentId/source`, beside the file. */
export class NewSourceFields {}

/** Query of `PUT /documents/:documentId/source` and `POST /documents/:documentId/parse`. */
export class RenewalQuery {
  @FlagTextField({
    description: 'Stops a live parse or build of the document instead of being refused.',
    example: true,
    optional: true,
  })
  cancelRunning?: boolean;

  @EncodingField({
    description: 'What to read the bytes as, instead of detecting it.',
    example: 'gb18030',
    optional: true,
  })
  encoding?: string;

  @CodeTextField(priorityField)
  priority?: TaskPriority;
}

/** Body of `POST /documents/:documentId/parse`. */
export class ParseAgainRequest {
  @IdField({ description: 'The person who asks; the system if absent.', example: '4711', optional: true })
  operatorId?: string;
}

/** Filters of `GET /documents`. */
export class DocumentListQuery {
  @IdTextField({ description: 'Documents of this base.', example: '241865211904000000', optional: true })
  knowledgeBaseId?: string;

  @CodeTextField({
    description: 'Read so far, by code or name.',
    example: 'PARSE_SUCCESS',
    table: parseStatusTable,
    optional: true,
  })
  parseStatus?: ParseStatus;

  @CodeTextField({
    description: 'Newest build, by code or name.',
    example: 'BUILT',
    table: indexStatusTable,
    optional: true,
  })
  indexStatus?: IndexStatus;

  @TextField({
    description: 'A part of the title or file name, taken literally.',
    example: 'pump',
    maxLength: 'titleLength',
    optional: true,
  })
  q?: string;
}

/** Which part of which text. */
export class TextQuery {
  @IntegerTextField({ description: 'First code point; the start if absent.', example: 0, min: 0, max, optional: true })
  from?: number;

  @IntegerTextField({
    description: 'Code point after the last; the end if absent.',
    example: 200,
    min: 0,
    max,
    optional: true,
  })
  to?: number;

  @IntegerTextField(revision)
  revision?: number;
}

/** Which text's blocks. */
export class BlockQuery {
  @IntegerTextField(revision)
  revision?: number;
}

/** Which chunks. */
export class ChunkQuery {
  @ChoiceField({
    description: 'Parents or children; children if absent.',
    example: 'CHILD',
    options: levels,
    optional: true,
  })
  level?: Level;
}
