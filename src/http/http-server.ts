import { setMaxListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartRefusal } from '../domain/start-refusal.js';
import { answerProtocolErrors } from './protocol-errors.js';

/** How often the server looks for requests that do not arrive in time. */
const checkTimeoutsMs = 1_000;
const headersTimeoutMs = 15_000;
const keepAliveMs = 15_000;
const maxHeaderBytes = 16 * 1024;
/** A client that neither reads nor writes for so long is given up, also in the middle of an answer. */
const silentClientMs = 600_000;

/** How requests arrive: as they are, or asking (`Expect`) whether they may send their body. */
const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** How long a request may take to arrive, body included. */
  readonly requestTimeoutMs: number;
  /** How long `stop` waits for requests in hand. */
  readonly stopGraceMs: number;
}

/** Listens, and ends in bounded time whatever its clients do. */
export class HttpServer {
  private readonly server: Server;
  /** Open connections, and how many requests each has in hand. */
  private readonly connections = new Map<Socket, number>();
  private stopped: Promise<void> | undefined;

  /** @param stopping aborted when `stop` begins, so that answers without end come to theirs. */
  constructor(
    application: RequestListener,
    private readonly options: HttpServerOptions,
    private readonly stopping: AbortController,
  ) {
    const { requestTimeoutMs } = options;
    // Every answer that waits listens to it, and they are as many as there are clients.
    setMaxListeners(0, stopping.signal);
    this.server = createServer({
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkTimeoutsMs,
      maxHeaderSize: maxHeaderBytes,
      // The application refuses such a request itself, with a body that says why.
      requireHostHeader: false,
    });
    this.server.timeout = silentClientMs;
    this.watchConnections();
    for (const event of requestEvents) this.server.on(event, application);
    answerProtocolErrors(this.server);
  }

  /** @throws StartRefusal if the address cannot be had. */
  async start(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException): void => reject(refusal(error, host, port));
      this.server.once('error', refuse).listen({ host, port }, () => {
        this.server.off('error', refuse);
        resolve();
      });
    });
  }

  /** Where the server listens, for people and clients on this machine. */
  get url(): string {
    const address = this.server.address() as AddressInfo | null;
    if (!address) throw new Error('the server does not listen');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  /** Takes no more requests, lets those in hand end, and closes what is open after the grace. May be called twice. */
  stop(): Promise<void> {
    return (this.stopped ??= this.close());
  }

  private async close(): Promise<void> {
    this.stopping.abort();
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.connections.keys()) this.dropIfIdle(socket);
    const timer = setTimeout(() => this.server.closeAllConnections(), this.options.stopGraceMs);
    await closed;
    clearTimeout(timer);
  }

  private watchConnections(): void {
    const count = (socket: Socket, change: number): void => {
      const before = this.connections.get(socket);
      if (before !== undefined) this.connections.set(socket, before + change);
    };
    const follow: RequestListener = ({ socket }, response) => {
      count(socket, 1);
      response.once('close', () => {
        count(socket, -1);
        if (this.stopping.signal.aborted) this.dropIfIdle(socket);
      });
    };
    this.server.on('connection', (socket) => {
      this.connections.set(socket, 0);
      socket.once('close', () => this.connections.delete(socket));
    });
    for (const event of requestEvents) this.server.on(event, follow);
  }

  /** Also for connections that clients open before they need them; Node itself closes only those that were used. */
  private dropIfIdle(socket: Socket): void {
    if (this.connections.get(socket) === 0) socket.destroySoon();
  }
}

/**
 * Tells a taken or impossible address before anything else is started; whoever takes it in the meantime is met at the
 * real start.
 *
 * @throws StartRefusal if the address cannot be had.
 */
export async function requireAddress({ host, port }: Pick<HttpServerOptions, 'host' | 'port'>): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(refusal(error, host, port)));
    probe.listen({ host, port }, () => resolve());
  });
  await new Promise((resolve) => probe.close(resolve));
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartRefusal(`Port ${port} on ${host} is taken. Stop what uses it, or set PORT to another.`);
    case 'EACCES':
      return new StartRefusal(`Port ${port} on ${host} may not be opened by this user. Set PORT to another.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartRefusal(`${host} is no address of this machine. Set HOST to another.`);
    default:
      return error;
  }
}
