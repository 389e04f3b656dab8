/** How long an idempotency key means something, in ms; after that it is as if it had never been sent. */
export const keysKeptMs = 86_400_000;
