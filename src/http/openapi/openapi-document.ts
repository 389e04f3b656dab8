import { errorTable, type ErrorCode } from '../../domain/errors.js';
import { errorStatuses } from '../error-table.js';
import type { Schema } from '../fields/field.js';
import { idempotencyKeyHeader, replayedHeader } from '../idempotency/idempotency-key.js';
import { problemMediaType } from '../problem.js';
import { listDefault, listLimit, type ServiceLimits } from '../request-limits.js';
import { paramsOf, type BodySpec, type Route, type RouteResponse } from '../route.js';
import { Problem } from '../views/problem-view.js';
import { Schemas } from './schemas.js';

/** The OpenAPI 3.1 document of a route table, with the limits as they are configured. */
export function openApiDocument(routes: readonly Route[], limits: ServiceLimits): Schema {
  const schemas = new Schemas(limits);
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Indexwright',
      version: '1',
      description: 'Upload, parse, confirm a chunking plan, build the index, search.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.collected() },
  };
}

function operationOf(route: Route, schemas: Schemas): Schema {
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    parameters: parametersOf(route, schemas),
    ...(route.body ? { requestBody: requestBodyOf(route.body, schemas) } : {}),
    responses: { ...refusalsOf(route, schemas), ...answersOf(route, schemas) },
  };
}

/** For example `postDocumentsPlansRecommend`. */
function operationIdOf({ method, path }: Route): string {
  const words = path.split('/').map((part) => part.replace(/^:(\w)/, (_, letter: string) => `By-${letter}`));
  const camel = words.flatMap((word) => word.split(/[-.]/)).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + camel.join('');
}

function parametersOf(route: Route, schemas: Schemas): Schema[] {
  const path = paramsOf(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: route.names?.includes(name) ? { type: 'string' } : { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
  }));
  const { properties, required } = route.query ? schemas.inline(route.query) : { properties: {}, required: [] };
  const query = Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: 'query',
    description,
    required: required.includes(name),
    schema,
    example,
  }));
  return [...path, ...query, ...(route.list ? pageParameters : []), ...(route.creates ? [keyParameter] : [])];
}

const keyParameter: Schema = {
  name: idempotencyKeyHeader,
  in: 'header',
  description: `Makes it safe to send the request again: for 24 hours the same key with the same request gets the same answer, marked with \`${replayedHeader}\`.`,
  required: false,
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

const pageParameters: readonly Schema[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Most items to give.',
    schema: { type: 'integer', minimum: 1, maximum: listLimit, default: listDefault },
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'The nextCursor of the page before, with the same filters.',
    schema: { type: 'string' },
  },
];

function requestBodyOf(spec: BodySpec, schemas: Schemas): Schema {
  if (spec.kind === 'json') {
    return { required: spec.needed, content: { 'application/json': { schema: schemas.refToRequest(spec.shape) } } };
  }
  const { properties, required } = schemas.inline(spec.shape);
  const file = { type: 'string', format: 'binary', description: 'The file, under its own name.' };
  const schema = { type: 'object', properties: { file, ...properties }, required: ['file', ...required] };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

/** Statuses that never have a body. */
const bodiless = new Set(['204', '304']);

function answersOf(route: Route, schemas: Schemas): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => [
      status,
      { description: response.description, ...(bodiless.has(status) ? {} : { content: contentOf(response, schemas) }) },
    ]),
  );
}

function contentOf(response: RouteResponse, schemas: Schemas): Schema {
  const { shape, items, events } = response;
  if (events) return { 'text/event-stream': { schema: schemas.refTo(events) } };
  if (!shape && !items) return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  const own = shape ? schemas.refTo(shape) : undefined;
  if (!items) return { 'application/json': { schema: own } };
  const page = {
    type: 'object',
    properties: {
      items: { type: 'array', items: schemas.refTo(items) },
      nextCursor: { type: ['string', 'null'], description: 'Asks for the next page; null at the end.' },
    },
    required: ['items', 'nextCursor'],
  };
  return { 'application/json': { schema: own ? { allOf: [page, own] } : page } };
}

/** What any route can answer with. */
const alwaysPossible: readonly ErrorCode[] = ['INTERNAL_ERROR', 'DATABASE_UNAVAILABLE', 'TOO_BUSY'];

/** Error answers by status; each names the codes it can carry. */
function refusalsOf(route: Route, schemas: Schemas): Record<string, Schema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([
    ...inputRefusals(route),
    ...keyRefusals(route),
    ...(route.refusals ?? []),
    ...alwaysPossible,
  ])) {
    const { status } = errorStatuses[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join('\n\n'),
        content: { [problemMediaType]: { schema: schemas.refTo(Problem) } },
      },
    ]),
  );
}

function keyRefusals({ creates }: Route): readonly ErrorCode[] {
  return creates ? ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] : [];
}

/** What reading the request itself can refuse with. */
function inputRefusals({ path, query, list, body }: Route): ErrorCode[] {
  const fields: ErrorCode[] = path.includes(':') || query || list || body ? ['INVALID_REQUEST'] : [];
  if (!body) return fields;
  const json: ErrorCode[] = body.kind === 'json' ? ['MALFORMED_JSON'] : [];
  return [...fields, ...json, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
}
