import { IdField, IdTextField } from '../fields/id-fields.js';

/** Body of `POST /index/build`. */
export class BuildRequest {
  @IdField({ description: 'The document to build.', example: '241865211904000002' })
  documentId!: string;

  @IdField({ description: 'Its current, confirmed plan.', example: '241865211904000003' })
  planId!: string;

  @IdField({ description: 'The person who asks; the system if absent.', example: '4711', optional: true })
  operatorId?: string;
}

/** Query of `GET /index/build/checks`. */
export class BuildChecksQuery {
  @IdTextField({ description: 'The document.', example: '241865211904000002' })
  documentId!: string;

  @IdTextField({ description: 'The plan.', example: '241865211904000003' })
  planId!: string;
}
