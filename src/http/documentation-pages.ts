import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { openApiDocument } from './openapi/openapi-document.js';
import type { ServiceLimits } from './request-limits.js';
import type { Route } from './route.js';
import { sendJson } from './send-answer.js';

/** `/openapi.json` and its viewer at `/docs`, which works without a network. */
export function documentationPages(routes: readonly Route[], limits: ServiceLimits): Router {
  const router = Router({ caseSensitive: true });
  const document = openApiDocument(routes, limits);
  router.get('/openapi.json', (_request, response) => sendJson(response, 200, document));
  const page = swaggerUi.setup(undefined, { customSiteTitle: 'Indexwright API', swaggerUrl: '/openapi.json' });
  router.get('/docs', (request, response, next) => {
    if (request.path.endsWith('/')) next();
    else response.redirect('/docs/');
  });
  // The viewer answers this one path in plain text; like any other that is not there, it is left to the application.
  router.use('/docs/package.json', (_request, _response, next) => next('router'));
  router.use('/docs', swaggerUi.serve);
  router.get('/docs/', page);
  return router;
}
