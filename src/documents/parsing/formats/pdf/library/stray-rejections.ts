import { setImmediate } from 'node:timers/promises';

const ofLibrary =
  /^(?:Abort|Format|Invalid|Jbig2|Jpeg|Jpx|Missing|ParserEOF|Password|UnexpectedResponse|Unknown|XRef)\w*(?:Error|Exception|Data|PDF)$/;

/**
 * Of a damaged file the library starts things that it does not wait for; when such a one fails, Node.js would end the
 * process. What matters also fails where it is awaited.
 *
 * @returns ends the tolerance, once nothing of the library is under way.
 */
export function tolerateStrayRejections(): () => Promise<void> {
  const judge = (reason: unknown): void => {
    const name = reason instanceof Error ? reason.name : '';
    if (!ofLibrary.test(name)) throw reason;
  };
  process.on('unhandledRejection', judge);
  return async () => {
    await setImmediate();
    process.off('unhandledRejection', judge);
  };
}
