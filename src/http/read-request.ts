import type { Request, Response } from 'express';
import { AppError } from '../domain/errors.js';
import { isId } from '../domain/ids/id.js';
import type { PageRequest } from '../domain/page.js';
import { idFault } from './fields/id-fields.js';
import { isPlainObject, type Shape } from './fields/structured-fields.js';
import { idempotencyKeyHeader, readIdempotencyKey } from './idempotency/idempotency-key.js';
import { invalidRequest, type FieldProblem } from './invalid-request.js';
import { readJsonBody } from './json-body.js';
import { shapeProblems } from './json-shape.js';
import { listName, readPage } from './list-cursor.js';
import { listDefault, type ServiceLimits } from './request-limits.js';
import { paramsOf, type Route } from './route.js';
import { readFields } from './read-fields.js';
import { readUpload } from './read-upload.js';

/** The inputs of a route, read and checked. */
export interface RequestInputs {
  readonly params: Readonly<Record<string, string>>;
  readonly query: object;
  readonly body: unknown;
  /** The body as it was sent, to be compared; of an upload its fields, its file name and the hash of its bytes. */
  readonly sent: unknown;
  /** On routes that create. */
  readonly idempotencyKey?: string;
  readonly page: PageRequest;
  /** Names the list that the page belongs to. */
  readonly list: string;
}

class NoFields {}

/**
 * Reads path, query and body of a request. Everything that is wrong with them is told at once; an upload is not even
 * begun where path or query are wrong.
 */
export class RequestReader {
  private readonly paramNames: readonly string[];
  private readonly query: Shape;

  constructor(
    private readonly route: Route,
    private readonly limits: ServiceLimits,
  ) {
    this.paramNames = paramsOf(route.path);
    this.query = route.query ?? NoFields;
  }

  /** @throws AppError INVALID_REQUEST, and what the body readers throw. */
  async read(request: Request, response: Response): Promise<RequestInputs> {
    const problems: FieldProblem[] = [];
    const params = this.readParams(request, problems);
    const { query, page, list } = this.readQuery(request, problems);
    const key = this.route.creates ? readIdempotencyKey(request.get(idempotencyKeyHeader), problems) : undefined;
    const body = await this.readBody(request, response, problems);
    if (problems.length > 0) throw invalidRequest(problems);
    return { params, query, ...body, page, list, ...(key === undefined ? {} : { idempotencyKey: key }) };
  }

  private readParams(request: Request, problems: FieldProblem[]): Record<string, string> {
    const params: Record<string, string> = {};
    for (const name of this.paramNames) {
      const value = request.params[name];
      if (isId(value) || (typeof value === 'string' && this.route.names?.includes(name))) params[name] = value;
      else problems.push({ path: name, message: idFault });
    }
    return params;
  }

  private readQuery(request: Request, problems: FieldProblem[]): Pick<RequestInputs, 'query' | 'page' | 'list'> {
    const given: Record<string, unknown> = { ...request.query };
    let page: PageRequest = { limit: listDefault };
    let list = '';
    if (this.route.list) {
      list = listName(request.path, given);
      page = readPage(given, list, this.route.list, problems);
      delete given.limit;
      delete given.cursor;
    }
    const { value, problems: found } = readFields(this.query, given, this.limits);
    problems.push(...found);
    return { query: value, page, list };
  }

  private async readBody(
    request: Request,
    response: Response,
    problems: FieldProblem[],
  ): Promise<Pick<RequestInputs, 'body' | 'sent'>> {
    const spec = this.route.body;
    if (!spec) return { body: undefined, sent: undefined };
    if (spec.kind === 'upload') {
      if (problems.length > 0) throw invalidRequest(problems);
      const body = await readUpload(request, response, spec, this.limits);
      const { fileName, stored } = body.file;
      return { body, sent: { fields: body.fields, fileName, sha256: stored.sha256 } };
    }
    const parsed = await readJsonBody(request, response, this.limits.jsonBytes);
    if (parsed === undefined && spec.needed) throw new AppError('MALFORMED_JSON', 'A JSON body is needed.');
    const sent = parsed ?? {};
    return { body: this.readJsonFields(spec.shape, sent, problems), sent };
  }

  private readJsonFields(shape: Shape, parsed: unknown, problems: FieldProblem[]): object | undefined {
    if (!isPlainObject(parsed)) {
      problems.push({ path: '', message: 'must be a JSON object' });
      return undefined;
    }
    const dangers = shapeProblems(parsed, this.limits.documentIds);
    const { value, problems: found } =
      dangers.length > 0 ? { value: undefined, problems: dangers } : readFields(shape, parsed, this.limits);
    problems.push(...found);
    return value;
  }
}
