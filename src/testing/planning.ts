import path from 'node:path';
import { Chunker } from '../chunking/chunker.js';
import { DocumentTextRepository } from '../database/repositories/document-text-repository.js';
import { PlanRepository } from '../database/repositories/plan-repository.js';
import { parseMarkdown } from '../documents/parsing/markdown/parse-markdown.js';
import { unpackBlocks } from '../documents/parsing/packed-blocks.js';
import { ParseStatus } from '../domain/document/parse-status.js';
import { StrategyStatus } from '../domain/document/strategy-status.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import { silentLogger } from '../logging/logger.js';
import { ComparePlans } from '../plans/compare-plans.js';
import { ConfirmPlan } from '../plans/confirm-plan.js';
import { DryRun } from '../plans/dry-run.js';
import { EditPlan } from '../plans/edit-plan.js';
import { PlanProposer } from '../plans/plan-proposer.js';
import { localPace } from '../plans/preview/embedding-estimate.js';
import { PreviewPlan } from '../plans/preview-plan.js';
import { ReadPlans } from '../plans/read-plans.js';
import { RecommendPlan } from '../plans/recommend-plan.js';
import { StorePlan } from '../plans/store-plan.js';
import type { StructuredText, TextCutter } from '../plans/text-cutter.js';
import type { TextReader } from '../plans/text-reader.js';
import { testIds, testLimits, testModel, testSpec } from './factories.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';

export const planningTerms = { limits: testLimits, maxSteps: 20, model: testModel };

/** What a test may put in place of the real parts, most often a wrapper that does something in between. */
export interface PlanningParts {
  readonly texts?: TextReader;
  readonly cutter?: TextCutter;
}

/** The use cases of plans on a database of their own, with the real chunker. */
export class Planning {
  readonly plans: PlanRepository;
  readonly texts: DocumentTextRepository;

  private constructor(
    readonly test: TestDatabase,
    readonly chunker: Chunker,
  ) {
    this.plans = new PlanRepository(test.database);
    this.texts = new DocumentTextRepository(test.database);
  }

  static async open(): Promise<Planning> {
    const modelFolder = path.resolve('models', testModel.id);
    const chunker = new Chunker({ modelFolder, limits: testLimits }, silentLogger);
    const [test] = await Promise.all([openTestDatabase({ on: 'postgres' }), chunker.start()]);
    return new Planning(test, chunker);
  }

  async close(): Promise<void> {
    await this.chunker.stop();
    await this.test.close();
  }

  /** The use cases, as the service joins them. */
  useCases({ texts = this.texts, cutter = this.chunker }: PlanningParts = {}) {
    const { database } = this.test;
    const storing = new StorePlan(this.plans, testIds);
    const dryRun = new DryRun(this.plans, texts, cutter, planningTerms);
    return {
      recommend: new RecommendPlan(database, this.plans, texts, new PlanProposer(cutter, planningTerms), storing),
      edit: new EditPlan(database, this.plans, texts, cutter, storing, planningTerms),
      confirm: new ConfirmPlan(database, this.plans),
      preview: new PreviewPlan(dryRun, planningTerms, localPace(2)),
      compare: new ComparePlans(dryRun),
      read: new ReadPlans(this.plans),
    };
  }

  /** Inserts a document of a base of its own that was parsed from a Markdown text, and has no plan yet. */
  async plantDocument(tenantId: TenantId, text: string): Promise<Id> {
    const documentId = await this.plantUnparsed(tenantId);
    await this.plantText(tenantId, documentId, text);
    return documentId;
  }

  async plantUnparsed(tenantId: TenantId): Promise<Id> {
    const [baseId, documentId] = [testIds.next(), testIds.next()];
    await this.test.database.query(
      'insert into knowledge_base (id, tenant_id, name, embedding_model) values ($1, $2, $3, $4)',
      [baseId, tenantId, `base ${baseId}`, testModel.id],
    );
    await this.test.database.query(
      `insert into document (id, tenant_id, knowledge_base_id, title, file_name, media_type, size_bytes, source_hash,
                             source_key, parse_status, strategy_status, index_status)
       values ($1, $2, $3, 'title', 'file.md', 'text/markdown', 10, $4, 'key', ${ParseStatus.WaitParse},
               ${StrategyStatus.WaitRecommend}, 1)`,
      [documentId, tenantId, baseId, testSpec.sourceHash],
    );
    return documentId;
  }

  /** Stores the next text revision of a document and makes it the newest, as a parse does. */
  async plantText(tenantId: TenantId, documentId: Id, text: string): Promise<void> {
    await this.test.database.transaction(async (tx) => {
      const [row] = await tx.query<{ revision: number }>(
        `update document set text_revision = text_revision + 1, parse_status = ${ParseStatus.ParseSuccess}
          where id = $1 returning text_revision as revision`,
        [documentId],
      );
      if (!row) throw new Error(`there is no document ${documentId}`);
      const { revision } = row;
      await this.texts.save(tx, { tenantId, documentId, revision, sourceHash: 'hash', parsed: structured(text) });
    });
  }
}

/** A Markdown text with its blocks. */
export function structured(text: string): StructuredText {
  return { text, blocks: unpackBlocks(parseMarkdown(text, 100_000)) };
}
