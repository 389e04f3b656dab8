import type {
  FoundChunk,
  FoundParent,
  SearchRepository,
  SearchScope,
} from '../database/repositories/search-repository.js';
import { AppError } from '../domain/errors.js';
import type { Id } from '../domain/ids/id.js';
import type { Embedder } from '../embedding/embedder.js';
import { fuseRanks, rankOne, type RankedHit } from './fuse-ranks.js';
import type { QueryReader } from './query-reader.js';
import type { Segmenter } from './segmenter.js';

export const searchModes = ['HYBRID', 'VECTOR', 'TEXT'] as const;
export type SearchMode = (typeof searchModes)[number];

export interface SearchRequest extends SearchScope {
  readonly query: string;
  readonly topK: number;
  readonly mode: SearchMode;
  /** Gives each hit its parent, and counts distinct parents instead of children. */
  readonly withParent: boolean;
  readonly minScore?: number;
}

export interface SearchHit {
  readonly chunkId: Id;
  readonly documentId: Id;
  readonly title: string;
  readonly ordinal: number;
  readonly text: string;
  readonly charStart: number;
  readonly charEnd: number;
  readonly headingPath: readonly string[];
  readonly context?: { readonly tableHeader?: string };
  readonly score: number;
  readonly scores: { readonly vector?: number; readonly text?: number };
  readonly parent?: FoundParent;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly tookMs: number;
  readonly modelId: string;
  /** Set when the vector half was left out because the model cannot read the query. */
  readonly vectorSkipped?: 'MODEL_CANNOT_READ_QUERY';
}

/** Above this share of unknown tokens a vector says nothing about the text. */
const unreadableShare = 0.3;
/** Each half looks further than topK, so that fusion and grouping by parent have something to choose from. */
const widening = 5;
const fewestCandidates = 50;

/** Finds children of the served versions, by meaning, by words, or both. */
export class SearchChunks {
  constructor(
    private readonly repository: SearchRepository,
    private readonly embedder: Embedder,
    private readonly segmenter: Segmenter,
    private readonly reader: QueryReader,
  ) {}

  /** @throws AppError KNOWLEDGE_BASE_NOT_FOUND, EMBEDDING_FAILED. */
  async search(request: SearchRequest): Promise<SearchAnswer> {
    const startedAt = performance.now();
    await this.requireBases(request);
    const readable = request.mode !== 'HYBRID' || this.reader.unknownShare(request.query) <= unreadableShare;
    const ranked = await this.rank(request, readable);
    const hits = await this.present(request, ranked);
    return {
      hits,
      tookMs: Math.round((performance.now() - startedAt) * 10) / 10,
      modelId: this.embedder.model.id,
      ...(readable ? {} : { vectorSkipped: 'MODEL_CANNOT_READ_QUERY' as const }),
    };
  }

  private async requireBases({ tenantId, knowledgeBaseIds }: SearchRequest): Promise<void> {
    if (!knowledgeBaseIds) return;
    const [unknown] = await this.repository.unknownBases(tenantId, knowledgeBaseIds);
    if (unknown) throw new AppError('KNOWLEDGE_BASE_NOT_FOUND', `There is no knowledge base ${unknown}.`);
  }

  private async rank(request: SearchRequest, readable: boolean): Promise<RankedHit[]> {
    const width = Math.max(fewestCandidates, request.topK * widening);
    const byVector = async () => {
      const [vector] = await this.embedder.embed([this.reader.fit(request.query)], 'query');
      return vector ? this.repository.nearest(request, vector, width) : [];
    };
    const byText = () => this.repository.matching(request, this.segmenter.segmentQuery(request.query), width);
    if (request.mode === 'VECTOR') return rankOne(await byVector(), 'vector');
    if (request.mode === 'TEXT' || !readable) return rankOne(await byText(), 'text');
    return fuseRanks(...(await Promise.all([byVector(), byText()])));
  }

  private async present(request: SearchRequest, ranked: readonly RankedHit[]): Promise<SearchHit[]> {
    const good = ranked.filter(({ score }) => score >= (request.minScore ?? 0));
    const candidates = good.slice(0, request.withParent ? request.topK * widening : request.topK);
    const found = new Map((await this.repository.read(candidates)).map((row) => [keyOf(row), row]));
    const hits: SearchHit[] = [];
    const parents = new Set<Id>();
    for (const rank of candidates) {
      const row = found.get(keyOf(rank));
      // Gone between the two reads: its document was deleted.
      if (!row || (request.withParent && parents.has(row.parent.chunkId))) continue;
      parents.add(row.parent.chunkId);
      hits.push(hitOf(row, rank, request.withParent));
      if (hits.length === request.topK) break;
    }
    return hits;
  }
}

function keyOf({ versionId, ordinal }: { readonly versionId: Id; readonly ordinal: number }): string {
  return `${versionId}:${ordinal}`;
}

function hitOf(row: FoundChunk, rank: RankedHit, withParent: boolean): SearchHit {
  return {
    chunkId: row.chunkId,
    documentId: row.documentId,
    title: row.title,
    ordinal: row.ordinal,
    text: row.content,
    charStart: row.charStart,
    charEnd: row.charEnd,
    headingPath: row.headingPath,
    ...(row.context ? { context: row.context } : {}),
    score: rank.score,
    scores: rank.scores,
    ...(withParent ? { parent: row.parent } : {}),
  };
}
