import type { DiscardDeadLetter } from '../../builds/discard-dead-letter.js';
import type { ReplayDeadLetter } from '../../builds/replay-dead-letter.js';
import type { ReadDeadLetters } from '../../progress/read-dead-letters.js';
import { accepted, ok } from '../answer.js';
import { DeadLetterListQuery } from '../requests/dead-letter-requests.js';
import { TaskCommandRequest } from '../requests/task-command-request.js';
import { optionalJson, route, type Route } from '../route.js';
import { DeadLetterView, deadLetterView } from '../views/dead-letter-view.js';

export interface DeadLetterUseCases {
  readonly readDeadLetters: Pick<ReadDeadLetters, 'list'>;
  readonly replayDeadLetter: Pick<ReplayDeadLetter, 'replay'>;
  readonly discardDeadLetter: Pick<DiscardDeadLetter, 'discard'>;
}

const tag = 'Operating';

/** What could not be done, and what a person makes of it. */
export function deadLetterRoutes(useCases: DeadLetterUseCases): readonly Route[] {
  const { readDeadLetters, replayDeadLetter, discardDeadLetter } = useCases;
  return [
    route({
      method: 'GET',
      path: '/admin/dead-letters',
      tag,
      summary: 'Tasks out of retries and unreadable messages, newest first',
      list: 'id',
      query: DeadLetterListQuery,
      responses: { 200: { description: 'A page of dead letters.', items: DeadLetterView } },
      handle: async (request) => {
        const page = await readDeadLetters.list(request.tenantId, request.query.state, request.page);
        return ok(request.pageView(page, (letter) => deadLetterView(letter, request.language)));
      },
    }),
    route({
      method: 'POST',
      path: '/admin/dead-letters/:deadLetterId/replay',
      tag,
      summary: 'Have it done again',
      description:
        'A task is retried, a message goes to its topic again. Once: another replay changes nothing and gives the same letter.',
      body: optionalJson(TaskCommandRequest),
      responses: { 202: { description: 'The letter, REPLAYED.', shape: DeadLetterView } },
      refusals: [
        'DEAD_LETTER_NOT_FOUND',
        'DEAD_LETTER_SETTLED',
        'DEAD_LETTER_NOT_REPLAYABLE',
        'TASK_NOT_FOUND',
        'TASK_NOT_RETRYABLE',
        'BUILD_IN_PROGRESS',
        'TASK_SUPERSEDED',
        'BROKER_UNAVAILABLE',
      ],
      handle: async ({ tenantId, params, language, body }) => {
        const letter = await replayDeadLetter.replay(tenantId, params.deadLetterId, body.operatorId);
        return accepted(deadLetterView(letter, language));
      },
    }),
    route({
      method: 'POST',
      path: '/admin/dead-letters/:deadLetterId/discard',
      tag,
      summary: 'Let it be',
      description: 'Its task stays as it ended. Another discard changes nothing and gives the same letter.',
      body: optionalJson(TaskCommandRequest),
      responses: { 200: { description: 'The letter, DISCARDED.', shape: DeadLetterView } },
      refusals: ['DEAD_LETTER_NOT_FOUND', 'DEAD_LETTER_SETTLED'],
      handle: async ({ tenantId, params, language, body }) => {
        const letter = await discardDeadLetter.discard(tenantId, params.deadLetterId, body.operatorId);
        return ok(deadLetterView(letter, language));
      },
    }),
  ];
}
