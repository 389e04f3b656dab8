import { describe, type Language } from '../../domain/coded-value.js';
import type { DocumentView as DocumentState } from '../../database/repositories/document-view.js';
import { IndexStatus, indexStatusTable } from '../../domain/document/index-status.js';
import { ParseStatus, parseStatusTable } from '../../domain/document/parse-status.js';
import { StrategyStatus, strategyStatusTable } from '../../domain/document/strategy-status.js';
import { nextStepOf } from '../../domain/errors.js';
import { IdTextField } from '../fields/id-fields.js';
import { FlagField, IntegerField, NumberField } from '../fields/number-fields.js';
import { CodedField, ObjectField, ObjectListField } from '../fields/structured-fields.js';
import { TextField, TimeField } from '../fields/text-fields.js';
import type { CodedView } from './coded-view.js';
import { TaskView } from './task-view.js';
import { timeText, type TimeText } from './time.js';

/** What parsing adds for people to know. */
export class ParseWarningView {
  @TextField({ description: 'Stable code.', example: 'ENCODING_GUESSED' })
  code!: string;

  @TextField({ description: 'In words.', example: 'The encoding was guessed.' })
  message!: string;
}

/** Why a document could not be parsed or built. */
export class DocumentErrorView {
  @TextField({ description: 'Stable code.', example: 'ENCRYPTED' })
  code!: string;

  @TextField({ description: 'What happened.', example: 'The file is encrypted.' })
  message!: string;

  @TextField({ description: 'What a person can do.', example: 'Remove the password and upload the file again.' })
  nextStep!: string;
}

/** A document as the API answers it. */
export class DocumentView {
  @IdTextField({ description: 'Id of the document.', example: '241865211904000002' })
  documentId!: string;

  @IdTextField({ description: 'The base it is in.', example: '241865211904000000' })
  knowledgeBaseId!: string;

  @TextField({ description: 'Its title.', example: 'Pump handbook' })
  title!: string;

  @TextField({ description: 'The name of the uploaded file.', example: 'handbook.md' })
  fileName!: string;

  @TextField({ description: 'What the file is.', example: 'text/markdown' })
  mediaType!: string;

  @IntegerField({ description: 'Size of the file in bytes.', example: 20_480, min: 0 })
  sizeBytes!: number;

  @TextField({
    description: 'SHA-256 of the file, in hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sourceHash!: string;

  @TextField({ description: 'The encoding it was read as.', example: 'utf-8', optional: true })
  encoding?: string;

  @NumberField({ description: 'How sure that is; 1 is proven.', example: 1, min: 0, max: 1, optional: true })
  encodingConfidence?: number;

  @TextField({ description: 'Main language, as an ISO 639-1 code.', example: 'en', optional: true })
  language?: string;

  @CodedField({ description: 'How far it is read.', table: parseStatusTable, example: ParseStatus.ParseSuccess })
  parseStatus!: CodedView;

  @CodedField({
    description: 'Whether its plan is confirmed.',
    table: strategyStatusTable,
    example: StrategyStatus.Confirmed,
  })
  strategyStatus!: CodedView;

  @CodedField({ description: 'Its newest build.', table: indexStatusTable, example: IndexStatus.Built })
  indexStatus!: CodedView;

  @IdTextField({ description: 'The plan that a build would follow.', example: '241865211904000003', nullable: true })
  currentPlanId!: string | null;

  @IntegerField({ description: 'Number of its newest parsed text; 0 before the first.', example: 1, min: 0 })
  textRevision!: number;

  @IntegerField({ description: 'The index version that is searched.', example: 1, min: 1, nullable: true })
  activeVersion!: number | null;

  @IntegerField({ description: 'The text that version was cut from.', example: 1, min: 1, optional: true })
  activeTextRevision?: number;

  @FlagField({ description: 'Source, text, plan or model moved on since that version.', example: false })
  stale!: boolean;

  @IntegerField({ description: 'Children that are searched.', example: 128, min: 0 })
  chunkCount!: number;

  @IntegerField({ description: 'Their tokens.', example: 21_300, min: 0 })
  tokenCount!: number;

  @ObjectListField({ description: 'What parsing noticed.' }, () => ParseWarningView)
  parseWarnings!: ParseWarningView[];

  @ObjectField({ description: 'Why it failed; absent when all is well.', optional: true }, () => DocumentErrorView)
  error?: DocumentErrorView;

  @TimeField({ description: 'When it was uploaded.', example: '2026-03-01T08:00:00.000Z' })
  createdAt!: TimeText;

  @TimeField({ description: 'When it last changed.', example: '2026-03-01T08:05:00.000Z' })
  updatedAt!: TimeText;
}

/** A new document and the task that reads it. */
export class UploadedView {
  @ObjectField({ description: 'The document.' }, () => DocumentView)
  document!: DocumentView;

  @ObjectField({ description: 'The task that parses it; poll it.' }, () => TaskView)
  task!: TaskView;
}

/** The document that holds the same bytes already. */
export class DuplicateView {
  @ObjectField({ description: 'The document.' }, () => DocumentView)
  document!: DocumentView;

  @IdTextField({ description: 'Its id.', example: '241865211904000002' })
  duplicateOf!: string;
}

export function documentView(document: DocumentState, language: Language): DocumentView {
  const { encoding, encodingConfidence, language: own, activeTextRevision, error, ...plain } = document;
  return {
    ...plain,
    sizeBytes: Number(document.sizeBytes),
    ...(encoding === null ? {} : { encoding }),
    ...(encodingConfidence === null ? {} : { encodingConfidence }),
    ...(own === null ? {} : { language: own }),
    parseStatus: describe(parseStatusTable, document.parseStatus, language),
    strategyStatus: describe(strategyStatusTable, document.strategyStatus, language),
    indexStatus: describe(indexStatusTable, document.indexStatus, language),
    ...(activeTextRevision === null ? {} : { activeTextRevision }),
    tokenCount: Number(document.tokenCount),
    parseWarnings: [...document.parseWarnings],
    ...(error === null
      ? {}
      : { error: { code: error.code, message: error.message, nextStep: nextStepOf(error.code)[language] } }),
    createdAt: timeText(document.createdAt),
    updatedAt: timeText(document.updatedAt),
  };
}
