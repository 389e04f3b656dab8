import type { AcceptBuild } from '../../builds/accept-build.js';
import type { CheckBuild } from '../../builds/check-build.js';
import { accepted, ok } from '../answer.js';
import { BuildChecksQuery, BuildRequest } from '../requests/build-requests.js';
import { json, route, type Route } from '../route.js';
import { AcceptedBuildView, acceptedBuildView, buildChecksView, BuildChecksView } from '../views/build-view.js';

export interface BuildUseCases {
  readonly acceptBuild: Pick<AcceptBuild, 'accept'>;
  readonly checkBuild: Pick<CheckBuild, 'check'>;
}

const tag = 'Building';

/** Asking for a build. */
export function buildRoutes({ acceptBuild, checkBuild }: BuildUseCases): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/index/build',
      tag,
      summary: 'Build the index of a document',
      creates: true,
      description:
        'Takes the build on in milliseconds; a worker does the rest. Refusals come in the order of the checks.',
      body: json(BuildRequest),
      responses: { 202: { description: 'Taken on; Location names the task.', shape: AcceptedBuildView } },
      refusals: [
        'DOCUMENT_NOT_FOUND',
        'DOCUMENT_NOT_READY',
        'PLAN_STALE',
        'BUILD_IN_PROGRESS',
        'PLAN_INVALID',
        'BROKER_UNAVAILABLE',
      ],
      handle: async ({ tenantId, language, once, body: { documentId, planId, operatorId } }) => {
        const request = { tenantId, documentId, planId, ...(operatorId ? { operatorId } : {}) };
        const build = await acceptBuild.accept(request, once);
        return accepted(acceptedBuildView(build, language), { Location: `/tasks/${build.taskId}` });
      },
    }),
    route({
      method: 'GET',
      path: '/index/build/checks',
      tag,
      summary: 'Which of the four checks a build would pass',
      query: BuildChecksQuery,
      responses: { 200: { description: 'All four, each judged on its own.', shape: BuildChecksView } },
      refusals: ['DOCUMENT_NOT_FOUND'],
      handle: async ({ tenantId, query }) =>
        ok(buildChecksView(await checkBuild.check(tenantId, query.documentId, query.planId))),
    }),
  ];
}
