import { bytesOf } from './message-codec.js';
import { MessageRefused, type OutgoingMessage, type ReturnedMessage } from './message-publisher.js';
import { sizeProblem } from './message-size.js';

/** Keeps back what nobody would read. @throws MessageRefused. */
export function refuseTooLarge(messages: readonly (OutgoingMessage | ReturnedMessage)[]): void {
  for (const message of messages) {
    const problem = sizeProblem(message, bytesOf(message).length);
    if (problem) throw new MessageRefused(problem);
  }
}
