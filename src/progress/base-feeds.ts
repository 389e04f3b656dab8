import type {
  CommitPosition,
  CommittedLine,
  TaskFeedRepository,
} from '../database/repositories/task-feed-repository.js';
import { TaskEvent } from '../domain/task/task-event.js';
import type { BaseFeed } from './event-feed.js';

/** Lines looked at in one statement, whatever their base: what it may cost, and what a reader may have to hold. */
const pageLines = 500;

/**
 * Brings the lines of bases to their readers, in the order of transactions, and only what lies before the oldest one
 * that is not over: nothing can come up behind a reader. Readers at the same place, which is nearly all, share one
 * statement.
 */
export class BaseFeeds {
  constructor(private readonly feeds: TaskFeedRepository) {}

  async deliver(readers: readonly BaseFeed[]): Promise<void> {
    if (readers.length === 0) return;
    const horizon = await this.feeds.horizon();
    for (const group of samePlace(readers)) await this.deliverPage(group, horizon);
  }

  private async deliverPage(group: readonly [BaseFeed, ...BaseFeed[]], horizon: string): Promise<void> {
    const { position } = group[0];
    if (BigInt(horizon) <= BigInt(position.writtenIn)) return;
    const lines = await this.feeds.committedAfter(position, horizon, pageLines);
    const last = lines.length === pageLines ? lines.at(-1) : undefined;
    const reached = last ? { writtenIn: last.writtenIn, id: last.id } : { writtenIn: horizon, id: '0' };
    for (const reader of group) {
      reader.position = reached;
      if (last) reader.due = true;
      for (const line of lines) if (line.knowledgeBaseId === reader.knowledgeBaseId) give(reader, line);
    }
  }
}

function give({ outlet }: BaseFeed, line: CommittedLine): void {
  outlet.line(line, baseEventId(line));
  const baseIsGone = line.documentId === null && line.event === TaskEvent.Success;
  if (baseIsGone) outlet.end();
}

/** What a reader of a base sends to go on after a line. */
export function baseEventId({ writtenIn, id }: CommitPosition): string {
  return `${writtenIn}-${id}`;
}

function samePlace(readers: readonly BaseFeed[]): [BaseFeed, ...BaseFeed[]][] {
  const groups = new Map<string, [BaseFeed, ...BaseFeed[]]>();
  for (const reader of readers) {
    const place = baseEventId(reader.position);
    const group = groups.get(place);
    if (group) group.push(reader);
    else groups.set(place, [reader]);
  }
  return [...groups.values()];
}
