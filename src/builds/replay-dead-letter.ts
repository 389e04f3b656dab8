import type { Database, TransactionContext } from '../database/database.js';
import type {
  DeadLetter,
  DeadLetterRepository,
  MessageLetter,
  Settlement,
} from '../database/repositories/dead-letter-repository.js';
import type { TaskCommandRepository } from '../database/repositories/task-command-repository.js';
import { DeadLetterKind, DeadLetterState } from '../domain/dead-letter.js';
import { AppError } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { MessagePublisher, ReturnedMessage } from '../messaging/message-publisher.js';
import { sizeProblem } from '../messaging/message-size.js';
import { isTopic } from '../messaging/topic.js';
import { letterOutcome } from './letter-outcome.js';
import type { RetryTask } from './retry-task.js';

export interface ReplayParts {
  readonly database: Database;
  readonly letters: DeadLetterRepository;
  readonly commands: Pick<TaskCommandRepository, 'lockOwnerOf'>;
  readonly retryTask: Pick<RetryTask, 'retryIn'>;
  readonly publisher: MessagePublisher;
}

/** Has done what a dead letter is about: its task runs again, or its message goes to its topic again. */
export class ReplayDeadLetter {
  constructor(
    private readonly parts: ReplayParts,
    private readonly sendDeadlineMs: number,
  ) {}

  /**
   * Of any number of replays one does the work; the others give the same letter.
   *
   * @throws AppError DEAD_LETTER_NOT_FOUND, DEAD_LETTER_SETTLED, DEAD_LETTER_NOT_REPLAYABLE, what retrying its task is
   *   refused with, BROKER_UNAVAILABLE. The letter is open as before then.
   */
  replay(tenantId: TenantId, id: Id, operatorId?: Id): Promise<DeadLetter> {
    const { database, letters } = this.parts;
    return database.transaction(async (tx) => {
      const letter = await letters.find(tenantId, id, tx);
      if (letter?.state === DeadLetterState.Open) await this.doAgain(tx, tenantId, letter, operatorId);
      return letterOutcome(await letters.find(tenantId, id, tx), DeadLetterState.Replayed);
    });
  }

  private async doAgain(
    tx: TransactionContext,
    tenantId: TenantId,
    letter: DeadLetter,
    operatorId?: Id,
  ): Promise<void> {
    const terms = { tenantId, id: letter.deadLetterId, state: DeadLetterState.Replayed, operatorId };
    if (letter.kind === DeadLetterKind.Message) return this.sendAgain(tx, letter, terms);
    const { letters, commands, retryTask } = this.parts;
    // Before the letter, as whoever ends the task locks them.
    await commands.lockOwnerOf(tx, tenantId, letter.taskId);
    if (!(await letters.settle(terms, tx))) return;
    await retryTask.retryIn(tx, tenantId, letter.taskId, operatorId);
  }

  private async sendAgain(tx: TransactionContext, letter: MessageLetter, terms: Settlement): Promise<void> {
    const message = returned(letter);
    if (!(await this.parts.letters.settle(terms, tx))) return;
    await this.parts.publisher.publish([message], { transaction: tx, deadlineMs: this.sendDeadlineMs });
  }
}

function returned({ deadLetterId, topic, key, value, rawValue, valueBytes, headers }: MessageLetter): ReturnedMessage {
  if (!isTopic(topic)) {
    throw new AppError('DEAD_LETTER_NOT_REPLAYABLE', 'Its topic is none that this service reads.');
  }
  // One without a key is put in line behind nothing.
  const message = { topic, key: key ?? deadLetterId, bytes: rawValue ?? Buffer.from(value ?? ''), headers };
  const problem = sizeProblem(message, valueBytes);
  if (problem) throw new AppError('DEAD_LETTER_NOT_REPLAYABLE', `It cannot be read as it is: ${problem}.`);
  return message;
}
