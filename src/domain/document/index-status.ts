import type { CodeTable, Moves } from '../coded-value.js';

/** The newest build of a document. What is served is told by its active version, not by this. */
export const IndexStatus = {
  /** Never built, or its only build was cancelled. */
  WaitBuild: 1,
  /** An index task is live. */
  Building: 2,
  /** The newest build was switched in, or was cancelled while an older version serves. */
  Built: 3,
  /** The newest build failed; an older version may still serve. */
  BuildFailed: 4,
} as const;
export type IndexStatus = (typeof IndexStatus)[keyof typeof IndexStatus];

export const indexStatusTable: CodeTable<IndexStatus> = {
  1: { name: 'WAIT_BUILD', text: { en: 'Waiting to be built', zh: '等待构建' } },
  2: { name: 'BUILDING', text: { en: 'Building', zh: '构建中' } },
  3: { name: 'BUILT', text: { en: 'Built', zh: '构建完成' } },
  4: { name: 'BUILD_FAILED', text: { en: 'Build failed', zh: '构建失败' } },
};

export const indexStatusMoves: Moves<IndexStatus> = {
  1: [IndexStatus.Building],
  2: [IndexStatus.Built, IndexStatus.BuildFailed, IndexStatus.WaitBuild],
  3: [IndexStatus.Building],
  4: [IndexStatus.Building],
};
