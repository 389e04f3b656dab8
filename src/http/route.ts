import type { Readable } from 'node:stream';
import type { Once } from '../database/once.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Id, TenantId } from '../domain/ids/id.js';
import type { Language } from '../domain/coded-value.js';
import type { Page, PageRequest } from '../domain/page.js';
import type { Answer } from './answer.js';
import type { Shape } from './fields/structured-fields.js';
import type { ListKey } from './list-cursor.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parameters of a path: ids, but for those that the route declares as names. */
export type PathParams<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: Id } & PathParams<Rest>
  : P extends `${string}:${infer Name}`
    ? { readonly [K in Name]: Id }
    : unknown;

/** What a handler gets: everything in it is read and checked. */
export interface RouteRequest<P, Q, B> {
  readonly tenantId: TenantId;
  readonly language: Language;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Which part of a list is asked for; the first page where the route is no list. */
  readonly page: PageRequest;
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  /** Of a request with an Idempotency-Key on a route that creates: for the transaction that creates. */
  readonly once: Once | undefined;
  header(name: string): string | undefined;
  /** A page in the form of the API. */
  pageView<T>(page: Page<T>, view: (item: T) => object): { items: object[]; nextCursor: string | null };
}

/** Bytes that have arrived whole. */
export interface StoredBytes {
  /** Tells one content from another. */
  readonly sha256: string;
}

/** Where uploads go while they arrive. */
export interface UploadTarget<Stored extends StoredBytes> {
  /** Takes the bytes; rejects and leaves nothing if the source fails. */
  store(source: Readable): Promise<Stored>;
  /** Removes what was stored for a request that is refused after all. */
  discard(stored: Stored): Promise<void>;
}

/** A file that has arrived whole. */
export interface UploadedFile<Stored extends StoredBytes> {
  /** As the client named it, without folders. */
  readonly fileName: string;
  /** As the client said; to be judged by the bytes. */
  readonly mediaType: string;
  readonly stored: Stored;
}

export interface UploadBody<F, Stored extends StoredBytes> {
  readonly fields: F;
  readonly file: UploadedFile<Stored>;
}

/** How the body of a route is read. `B` is what its handler gets. */
export type BodySpec<B = unknown> = { readonly bodyType?: B } & (
  | { readonly kind: 'json'; readonly shape: Shape; readonly needed: boolean }
  | { readonly kind: 'upload'; readonly shape: Shape; readonly target: UploadTarget<StoredBytes> }
);

/** A JSON body that must be there. */
export function json<B extends object>(shape: Shape<B>): BodySpec<B> {
  return { kind: 'json', shape, needed: true };
}

/** A JSON body all of whose fields are optional; none at all counts as an empty one. */
export function optionalJson<B extends object>(shape: Shape<B>): BodySpec<B> {
  return { kind: 'json', shape, needed: false };
}

/** A form with exactly one `file`, stored while it arrives. */
export function upload<F extends object, Stored extends StoredBytes>(
  shape: Shape<F>,
  target: UploadTarget<Stored>,
): BodySpec<UploadBody<F, Stored>> {
  return { kind: 'upload', shape, target: target };
}

/** What one status of a route means, and the shape of its body; none for plain bytes. */
export interface RouteResponse {
  readonly description: string;
  readonly shape?: Shape;
  /** The body is a page of these; `shape` then tells what stands beside items and nextCursor. */
  readonly items?: Shape;
  /** The body is a stream of server-sent events; each carries one of these. */
  readonly events?: Shape;
}

interface RouteFace {
  readonly method: Method;
  /** Groups routes in the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Its access lines are for debugging only: it is asked all the time. */
  readonly quiet?: boolean;
  /** It creates something: a client may send an Idempotency-Key. The handler hands `once` on to its transaction. */
  readonly creates?: boolean;
  /** Parameters of the path that are names, not ids; which names there are is the use case's business. */
  readonly names?: readonly string[];
  /** The route is a list; says what orders it. */
  readonly list?: ListKey;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** What it can refuse with, beside what every route can. */
  readonly refusals?: readonly ErrorCode[];
}

/** One line of the route table: the server, the checks and the documentation are all made from it. */
export interface Route extends RouteFace {
  readonly path: string;
  readonly query?: Shape;
  readonly body?: BodySpec;
  handle(request: RouteRequest<unknown, unknown, unknown>): Answer | Promise<Answer>;
}

/** Declares a route; its handler's request is typed by path, query and body. */
export function route<const P extends string, Q extends object = object, B = undefined>(
  definition: RouteFace & {
    readonly path: P;
    readonly query?: Shape<Q>;
    readonly body?: BodySpec<B>;
    handle(request: RouteRequest<PathParams<P>, Q, B>): Answer | Promise<Answer>;
  },
): Route {
  return definition;
}

/** Names of the parameters of a path. */
export function paramsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
