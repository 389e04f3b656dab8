import type { EventSource, FollowEvents } from '../../progress/follow-events.js';
import type { Answer } from '../answer.js';
import { EventStream } from '../event-stream.js';
import { BaseEventsQuery, TaskEventsQuery } from '../requests/event-queries.js';
import { route, type Route, type RouteRequest } from '../route.js';
import { TaskEventView } from '../views/task-event-view.js';

export interface EventUseCases {
  readonly followEvents: Pick<FollowEvents, 'task' | 'base'>;
}

const tag = 'Events';

const howToResume =
  'Events of the log carry an `id`; send the last one as `Last-Event-ID` to go on after it, as browsers do by themselves. An id that is unknown or no longer kept gets a `reset` event first. Comments keep the line alive.';

/** Server-sent events of tasks, for whoever would rather listen than poll. */
export function eventRoutes({ followEvents }: EventUseCases): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/tasks/:taskId/events',
      tag,
      summary: 'Follow a task',
      description: `The log of the task from its first line, closed after the final one. ${howToResume}`,
      query: TaskEventsQuery,
      responses: {
        200: { description: 'The events.', events: TaskEventView },
        204: { description: 'There is nothing after that id, and nothing more will come: do not come again.' },
      },
      refusals: ['TASK_NOT_FOUND'],
      handle: async (request) => {
        const { tenantId, params, query } = request;
        const options = { ...resumption(request), withProgress: query.progress ?? false };
        const source = await followEvents.task(tenantId, params.taskId, options);
        return source ? streamOf(source, request) : { status: 204, headers: {} };
      },
    }),
    route({
      method: 'GET',
      path: '/events',
      tag,
      summary: 'Follow all tasks of a knowledge base',
      description: `What happens from now on: open the stream first, then read the lists; read them again after a \`reset\`. ${howToResume}`,
      query: BaseEventsQuery,
      responses: { 200: { description: 'The events.', events: TaskEventView } },
      refusals: ['KNOWLEDGE_BASE_NOT_FOUND'],
      handle: async (request) => {
        const { lastEventId } = resumption(request);
        const { tenantId, query } = request;
        return streamOf(await followEvents.base(tenantId, query.knowledgeBaseId, lastEventId), request);
      },
    }),
  ];
}

type AnyRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'header' | 'language' | 'signal'>;

/** Clients that have seen no event send no id, or an empty one. */
function resumption(request: AnyRequest): { lastEventId?: string } {
  const lastEventId = request.header('last-event-id');
  return lastEventId ? { lastEventId } : {};
}

function streamOf(source: EventSource, { language, signal }: AnyRequest): Answer {
  const stream = new EventStream(language, signal);
  if (source.reset) stream.reset();
  try {
    source.feed(stream);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return {
    status: 200,
    stream,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    },
  };
}
