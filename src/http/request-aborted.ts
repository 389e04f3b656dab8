/** The client went away before its request was there. Nobody is left to answer; it is no fault of the service. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted';

  constructor() {
    super('the client closed the connection');
  }
}
