import { AppError } from '../domain/errors.js';
import { taskStatusTable, type TaskStatus } from '../domain/task/task-status.js';
import { created, ok } from '../http/answer.js';
import { IdField, IdListField } from '../http/fields/id-fields.js';
import { IntegerField, IntegerTextField } from '../http/fields/number-fields.js';
import { CodeTextField, ObjectListField } from '../http/fields/structured-fields.js';
import { TextField } from '../http/fields/text-fields.js';
import { json, optionalJson, route, type Route } from '../http/route.js';

class Part {
  @TextField({ description: 'A name.', example: 'left', minLength: 1 })
  name!: string;
}

class ThingRequest {
  @IdField({ description: 'An id.', example: '1' })
  thingId!: string;

  @IdField({ description: 'Another id.', example: '2', optional: true })
  ownerId?: string;

  @TextField({ description: 'A title.', example: 'A', optional: true, maxLength: 'titleLength' })
  title?: string;

  @IntegerField({ description: 'How many.', example: 1, min: 1, max: 'topK', optional: true })
  count?: number;

  @IdListField({ description: 'More ids.', example: ['3'], optional: true, maxItems: 'documentIds' })
  ids?: string[];

  @ObjectListField({ description: 'Parts.', optional: true }, () => Part)
  parts?: Part[];
}

class ThingQuery {
  @CodeTextField({ description: 'A status.', example: 'NEW', table: taskStatusTable, optional: true })
  status?: TaskStatus;

  @IntegerTextField({ description: 'From.', example: 0, min: 0, optional: true })
  from?: number;
}

class Nothing {}

const responses = { 200: { description: 'What was understood.' } };

/** Routes that answer what they understood, for tests of the server itself. */
export const echoRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/things',
    tag: 'Things',
    summary: 'Echo',
    body: json(ThingRequest),
    responses,
    handle: ({ body }) => created({ ...body }),
  }),
  route({
    method: 'POST',
    path: '/things/:thingId/touch',
    tag: 'Things',
    summary: 'Touch',
    body: optionalJson(Nothing),
    responses,
    handle: ({ params }) => ok({ touched: params.thingId }),
  }),
  route({
    method: 'GET',
    path: '/things',
    tag: 'Things',
    summary: 'List',
    list: 'id',
    query: ThingQuery,
    responses,
    handle: (request) =>
      ok({
        ...request.pageView({ items: ['a'], next: '41' }, (item) => ({ item })),
        query: request.query,
        page: request.page,
      }),
  }),
  route({
    method: 'GET',
    path: '/things/:thingId',
    tag: 'Things',
    summary: 'Get',
    responses,
    handle: ({ params, language }) => ok({ ...params, language }),
  }),
  route({
    method: 'GET',
    path: '/things/special',
    tag: 'Things',
    summary: 'A fixed word beside a parameter',
    responses,
    handle: () => ok({ special: true }),
  }),
  route({
    method: 'GET',
    path: '/errors/:thingId',
    tag: 'Errors',
    summary: 'Throws',
    responses,
    handle: ({ params: { thingId } }) => {
      if (thingId === '1') throw new TypeError('select secret from /root/secret.ts');
      if (thingId === '2') throw new AppError('BROKER_UNAVAILABLE', 'The broker does not answer.');
      throw new AppError('DOCUMENT_NOT_READY', 'Not yet.', { parseStatus: 3, strategyStatus: 2, currentPlanId: '9' });
    },
  }),
];
