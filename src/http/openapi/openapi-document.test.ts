import { describe, expect, it } from '@jest/globals';
import { strategyCatalogue } from '../../chunking/strategy-catalogue.js';
import { loadConfig } from '../../config/app-config.js';
import { apiRoutes, type ApiParts } from '../api-routes.js';
import { serviceLimits } from '../request-limits.js';
import { paramsOf } from '../route.js';
import { openApiDocument } from './openapi-document.js';

type Json = Record<string, unknown>;

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Json; description?: string }[];
  readonly requestBody?: { required: boolean; content: Json };
  readonly responses: Record<string, { description: string; content?: Json }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, Json>; required?: string[] }> };
}

const chunk = { PARENT: { maxTokens: 4_096, maxChars: 16_000 }, CHILD: { maxTokens: 256, maxChars: 2_000 } };

function documentWith(env: Record<string, string>) {
  const limits = serviceLimits(loadConfig(env).http, chunk);
  const facts: Json = { limits, strategies: strategyCatalogue(chunk), probes: [] };
  // No use case is called while the table is made.
  const parts = new Proxy(facts, { get: (known, name) => known[String(name)] ?? {} });
  const routes = apiRoutes(parts as unknown as ApiParts);
  return { routes, document: openApiDocument(routes, limits) as unknown as Document };
}

const { routes, document } = documentWith({});
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the document', () => {
  it('has every route, and nothing else', () => {
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort();
    const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort();
    expect(documented).toEqual(served);
    expect(new Set(documented).size).toBe(documented.length);
  });

  it('has an id of its own for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every parameter and every path parameter', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect([path, inPath]).toEqual([path, paramsOf(path.replace(/\{(\w+)\}/g, ':$1'))]);
      const bare = operation.parameters.filter((parameter) => parameter.in === 'query' && !parameter.description);
      expect([path, bare]).toEqual([path, []]);
    }
  });

  it('describes every field of every body and answer, with an example', () => {
    const bare = Object.entries(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(
          ([, field]) =>
            !field.description ||
            !(field.example !== undefined || '$ref' in field || 'items' in field || 'anyOf' in field),
        )
        .map(([name]) => `${schema}.${name}`),
    );
    expect(bare).toEqual([]);
  });

  it('refers only to what is there', () => {
    const text = JSON.stringify(document);
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(document.components.schemas).toHaveProperty(name ?? '');
    expect(text).not.toContain('#/definitions/');
  });

  it('tells what is required: an id that may be left out is not, one that may not is', () => {
    const { BuildRequest, TaskView } = document.components.schemas;
    expect(BuildRequest?.required?.sort()).toEqual(['documentId', 'planId']);
    expect(TaskView?.required).toContain('nextPollMs');
    expect(TaskView?.required).not.toContain('waiting');
  });

  it('names the limits as they are configured', () => {
    const { document: other } = documentWith({ TOP_K_MAX: '7', QUERY_MAX_LENGTH: '99' });
    expect(other.components.schemas.SearchRequest?.properties?.topK).toMatchObject({ minimum: 1, maximum: 7 });
    expect(other.components.schemas.SearchRequest?.properties?.query).toMatchObject({ maxLength: 99 });
    expect(JSON.stringify(other)).not.toMatch(/"max(?:imum|Length|Items)":"/);
  });

  it('says that requests take no unknown fields, on every level, and that answers may grow', () => {
    const { EditPlanRequest, ProposedStepRequest, PlanView } = document.components.schemas;
    expect([EditPlanRequest, ProposedStepRequest]).toEqual([
      expect.objectContaining({ additionalProperties: false }),
      expect.objectContaining({ additionalProperties: false }),
    ]);
    expect(PlanView).not.toHaveProperty('additionalProperties');
  });

  it('gives no body to an answer that has none', () => {
    expect(document.paths['/tasks/{taskId}']?.get?.responses['304']).not.toHaveProperty('content');
  });

  it('has the file of an upload, and the refusals of a build by status', () => {
    const uploading = document.paths['/documents']?.post;
    expect(JSON.stringify(uploading?.requestBody)).toContain('"file":{"type":"string","format":"binary"');
    const building = document.paths['/index/build']?.post;
    expect(Object.keys(building?.responses ?? {}).sort()).toEqual([
      '202',
      '400',
      '404',
      '409',
      '413',
      '415',
      '422',
      '500',
      '503',
    ]);
    expect(building?.responses['409']?.description).toMatch(
      /DOCUMENT_NOT_READY[\s\S]*PLAN_STALE[\s\S]*BUILD_IN_PROGRESS/,
    );
  });
});
