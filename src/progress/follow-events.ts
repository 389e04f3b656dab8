import type { KnowledgeBaseRepository } from '../database/repositories/knowledge-base-repository.js';
import type { CommitPosition, ResumeFacts, TaskFeedRepository } from '../database/repositories/task-feed-repository.js';
import { AppError } from '../domain/errors.js';
import { isId, type Id, type TenantId } from '../domain/ids/id.js';
import { isLive } from '../domain/task/task-status.js';
import type { EventOutlet } from './event-feed.js';
import type { EventPump } from './event-pump.js';

/** A stream that may begin. */
export interface EventSource {
  /** The reader's last event is not there any more, or never was: it has to forget what it made of those before. */
  readonly reset: boolean;
  /** Begins. @throws AppError TOO_BUSY. */
  feed(outlet: EventOutlet): void;
}

/** Lets readers follow what happens to one task or to all of a base. */
export class FollowEvents {
  constructor(
    private readonly feeds: TaskFeedRepository,
    private readonly bases: Pick<KnowledgeBaseRepository, 'find'>,
    private readonly pump: EventPump,
  ) {}

  /**
   * The log of a task from its first line, or from after `lastEventId`, to its end. Undefined if the reader has all of
   * it and no more will come by itself.
   *
   * @throws AppError TASK_NOT_FOUND, TOO_BUSY.
   */
  async task(
    tenantId: TenantId,
    taskId: Id,
    { lastEventId, withProgress = false }: { lastEventId?: string; withProgress?: boolean },
  ): Promise<EventSource | undefined> {
    this.pump.requireRoom();
    const lastLine = isId(lastEventId) ? lastEventId : undefined;
    const facts = await this.feeds.resumeFacts(tenantId, taskId, lastLine);
    if (!facts) throw new AppError('TASK_NOT_FOUND', 'There is no such task.');
    if (hasAll(facts)) return undefined;
    const after = facts.known && lastLine ? lastLine : '0';
    return {
      reset: lastEventId !== undefined && !facts.known,
      feed: (outlet) => this.pump.open({ taskId, after, withProgress, outlet, due: true }),
    };
  }

  /**
   * The lines of all tasks of a base from after `lastEventId`, else from now on.
   *
   * @throws AppError KNOWLEDGE_BASE_NOT_FOUND, TOO_BUSY.
   */
  async base(tenantId: TenantId, knowledgeBaseId: Id, lastEventId?: string): Promise<EventSource> {
    this.pump.requireRoom();
    const base = await this.bases.find(tenantId, knowledgeBaseId);
    if (!base) throw new AppError('KNOWLEDGE_BASE_NOT_FOUND', 'There is no such knowledge base.');
    const wanted = positionIn(lastEventId);
    const known = wanted !== undefined && (await this.feeds.holds(knowledgeBaseId, wanted));
    const position = known ? wanted : { writtenIn: await this.feeds.horizon(), id: '0' };
    return {
      reset: lastEventId !== undefined && !known,
      feed: (outlet) => this.pump.open({ knowledgeBaseId, position, outlet, due: true }),
    };
  }
}

function hasAll({ taskStatus, known, newer }: ResumeFacts): boolean {
  return known && !newer && !isLive(taskStatus);
}

/** The position in an event id of a base; both halves have the form of ids. */
function positionIn(eventId: string | undefined): CommitPosition | undefined {
  const [writtenIn, id, ...rest] = eventId?.split('-') ?? [];
  return isId(writtenIn) && isId(id) && rest.length === 0 ? { writtenIn, id } : undefined;
}
