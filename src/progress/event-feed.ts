import type { CommitPosition, FeedLine } from '../database/repositories/task-feed-repository.js';
import type { Id } from '../domain/ids/id.js';
import type { TaskView } from './task-view.js';

/** Where the events of one reader go. It takes what it is given, and says beforehand whether it has room for more. */
export interface EventOutlet {
  /** False while the reader is slower than the events, and when it is gone. */
  readonly ready: boolean;
  /** Calls `more` when it is ready again, and `gone` once, however it ends. */
  connect(more: () => void, gone: () => void): void;
  /** @param eventId what the reader sends to go on after this line. */
  line(line: FeedLine, eventId: string): void;
  progress(task: TaskView): void;
  /** There will be no more; what was given still goes out. */
  end(): void;
}

interface Feed {
  readonly outlet: EventOutlet;
  /** There may be something new for it. */
  due: boolean;
}

/** A reader of one task's log, from its first line to its last. */
export interface TaskFeed extends Feed {
  readonly taskId: Id;
  /** Its last line; '0' before the first. */
  after: string;
  readonly withProgress: boolean;
}

/** A reader of all lines of a base, for as long as the base is there. */
export interface BaseFeed extends Feed {
  readonly knowledgeBaseId: Id;
  position: CommitPosition;
}

export type EventFeed = TaskFeed | BaseFeed;
