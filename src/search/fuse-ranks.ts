import type { Candidate } from '../database/repositories/search-repository.js';

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const rankConstant = 60;

export interface RankedHit {
  readonly versionId: string;
  readonly ordinal: number;
  /** 0–1; 1 for what stands first in every list. */
  readonly score: number;
  readonly scores: { readonly vector?: number; readonly text?: number };
}

/** Candidates of one list as hits, scored as that list scores them. */
export function rankOne(list: readonly Candidate[], half: 'vector' | 'text'): RankedHit[] {
  return list.map(({ versionId, ordinal, score }) => ({ versionId, ordinal, score, scores: { [half]: score } }));
}

/** Joins both lists by the reciprocals of the ranks, so that their scores need not be comparable. Best first. */
export function fuseRanks(vector: readonly Candidate[], text: readonly Candidate[]): RankedHit[] {
  const hits = new Map<string, RankedHit>();
  const add = (list: readonly Candidate[], half: 'vector' | 'text'): void => {
    list.forEach(({ versionId, ordinal, score }, rank) => {
      const key = `${versionId}:${ordinal}`;
      const known = hits.get(key);
      hits.set(key, {
        versionId,
        ordinal,
        score: (known?.score ?? 0) + (rankConstant + 1) / (2 * (rankConstant + 1 + rank)),
        scores: { ...known?.scores, [half]: score },
      });
    });
  };
  add(vector, 'vector');
  add(text, 'text');
  return [...hits.values()].sort((a, b) => b.score - a.score);
}
