import { createServer, type Server, type Socket } from 'node:net';
import {
  openingOf,
  ProtocolViolation,
  queryMessage,
  syncMessage,
  terminateType,
  wholeMessages,
} from './message-frames.js';

/** A database engine with a single session. */
export interface SessionEngine {
  /** Takes whole messages and hands over the answer in pieces, each only good until the call returns. */
  run(messages: Uint8Array, onAnswer: (piece: Uint8Array) => void): Promise<void>;
  inTransaction(): boolean;
}

export interface SessionServerOptions {
  /** Silence after which a client is cut off, so that one that lost its way does not keep the session for ever; ms. */
  readonly idleMs: number;
  /** The engine threw: nothing that it says afterwards can be trusted. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Speaks the PostgreSQL protocol on a unix socket for an engine with one session. Clients are served one after the
 * other; those that wait are not refused. What one leaves behind (a transaction, settings, prepared statements) is
 * cleared before the next one begins.
 */
export class SessionServer {
  private readonly server: Server;
  private readonly line: Socket[] = [];
  private current: Session | undefined;
  private closing = false;

  constructor(
    private readonly engine: SessionEngine,
    private readonly options: SessionServerOptions,
  ) {
    this.server = createServer({ pauseOnConnect: true }, (socket) => this.admit(socket));
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(path, resolve);
    });
  }

  /** Cuts all clients off; resolves when the statement in hand has ended. */
  async close(): Promise<void> {
    this.closing = true;
    this.server.close();
    for (const socket of this.line.splice(0)) socket.destroy();
    this.current?.cut();
    await this.current?.ended;
  }

  private admit(socket: Socket): void {
    // An error is followed by `close`, which is what counts.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      const at = this.line.indexOf(socket);
      if (at >= 0) this.line.splice(at, 1);
    });
    this.line.push(socket);
    this.serveNext();
  }

  private serveNext(): void {
    if (this.current || this.closing) return;
    const socket = this.line.shift();
    if (!socket) return;
    this.current = new Session(socket, this.engine, this.options);
    void this.current.ended.then(() => {
      this.current = undefined;
      this.serveNext();
    });
  }
}

/** One client from its first packet until the engine is clean again. */
class Session {
  /** Never rejects. */
  readonly ended: Promise<void>;
  private buffer: Buffer = Buffer.alloc(0);
  private started = false;
  private work: Promise<void> = Promise.resolve();
  private readonly idle: NodeJS.Timeout;

  constructor(
    private readonly socket: Socket,
    private readonly engine: SessionEngine,
    private readonly options: SessionServerOptions,
  ) {
    this.idle = setTimeout(() => this.cut(), options.idleMs);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('data', (data) => this.take(data)).resume();
    this.ended = closed.then(() => this.finish());
  }

  cut(): void {
    this.socket.destroy();
  }

  private take(data: Buffer): void {
    this.buffer = this.buffer.length === 0 ? data : Buffer.concat([this.buffer, data]);
    this.work = this.work.then(() => this.serve()).catch((error: unknown) => this.judge(error));
  }

  /** The engine never saw what violates the protocol: only the client is at fault. */
  private judge(error: unknown): void {
    if (error instanceof ProtocolViolation) this.cut();
    else this.options.onBroken(error);
  }

  private async serve(): Promise<void> {
    if (this.socket.destroyed) return;
    if (!this.started && !(await this.open())) return;
    const end = wholeMessages(this.buffer);
    if (end > 0) {
      const messages = this.cutOff(end);
      if (messages[0] === terminateType) return this.cut();
      await this.engine.run(messages, (piece) => this.socket.write(Buffer.from(piece)));
    }
    this.idle.refresh();
  }

  /** False while the packet is not whole, or if the client wants something else than a session. */
  private async open(): Promise<boolean> {
    for (;;) {
      const opening = openingOf(this.buffer);
      if (!opening) return false;
      const packet = this.cutOff(opening.length);
      if (opening.kind === 'cancel') {
        this.cut();
        return false;
      }
      if (opening.kind === 'encryption') this.socket.write('N');
      else {
        await this.engine.run(packet, (piece) => this.socket.write(Buffer.from(piece)));
        this.started = true;
        return true;
      }
    }
  }

  private cutOff(length: number): Buffer {
    const head = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    return head;
  }

  /** Leaves the engine as the next client expects to find it. */
  private async finish(): Promise<void> {
    clearTimeout(this.idle);
    try {
      await this.work;
      if (!this.started) return;
      const nothing = (): void => undefined;
      await this.engine.run(syncMessage, nothing);
      if (this.engine.inTransaction()) await this.engine.run(queryMessage('rollback'), nothing);
      await this.engine.run(queryMessage('discard all'), nothing);
    } catch (error) {
      this.options.onBroken(error);
    }
  }
}
