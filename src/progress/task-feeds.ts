import type { TaskFeedRepository, TaskNews } from '../database/repositories/task-feed-repository.js';
import type { TaskRepository } from '../database/repositories/task-repository.js';
import type { Clock } from '../domain/clock.js';
import type { Id } from '../domain/ids/id.js';
import type { TaskFeed } from './event-feed.js';
import { taskView, type TaskView } from './task-view.js';

/** Lines given to one reader at once: what it may have to hold. */
const pageLines = 50;

/** Brings news of tasks to their readers: one statement for the lines of all of them, one for progress. */
export class TaskFeeds {
  constructor(
    private readonly feeds: TaskFeedRepository,
    private readonly tasks: TaskRepository,
    private readonly clock: Clock,
  ) {}

  async deliver(readers: readonly TaskFeed[]): Promise<void> {
    if (readers.length === 0) return;
    const news = await this.feeds.newsOf(readers, pageLines);
    // Read after the lines: the last snapshot is then of a finished task.
    const progress = await this.progressOf(readers);
    readers.forEach((reader, i) => deliverTo(reader, news[i], progress.get(reader.taskId)));
  }

  private async progressOf(readers: readonly TaskFeed[]): Promise<Map<Id, TaskView>> {
    const wanted = new Set(readers.filter(({ withProgress }) => withProgress).map(({ taskId }) => taskId));
    if (wanted.size === 0) return new Map();
    const tasks = await this.tasks.findAll([...wanted]);
    // Snapshots leave out why a task waits.
    return new Map(tasks.map((task) => [task.id, taskView(task, { stalled: false }, this.clock.now())]));
  }
}

function deliverTo(reader: TaskFeed, news: TaskNews | undefined, progress: TaskView | undefined): void {
  const { outlet, withProgress } = reader;
  if (withProgress && progress) outlet.progress(progress);
  for (const line of news?.lines ?? []) {
    outlet.line(line, line.id);
    reader.after = line.id;
  }
  const more = news?.lines.length === pageLines;
  if (more) reader.due = true;
  else if (!news?.live) outlet.end();
}
