/** The reference of the API at `/docs`: Swagger UI in the style of the client, with all of its files served locally. */
import { join } from 'node:path';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { readScript, readStyle } from './inline-sources.ts';
import { asterSvg } from './tag-picture.ts';

const look = join(import.meta.dirname, 'look');

/** Swagger UI styles its elements by attributes. Nothing else is loaded, and requests go only to this service. */
const content_security_policy = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'style-src': "'self' 'unsafe-inline'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** @param describe returns the OpenAPI document */
export function addReferencePage(http: FastifyInstance, describe: () => Record<string, unknown>): void {
  // Swagger UI requests the document from the plugin of this name, which here generates it from the contracts.
  const provider = Object.assign(
    async (scope: FastifyInstance) => {
      scope.decorate('swagger', describe);
    },
    { [Symbol.for('skip-override')]: true, [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' } },
  );
  void http.register(provider);
  void http.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      layout: 'BaseLayout',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
    },
    staticCSP: content_security_policy,
    theme: {
      title: 'API reference · Asterism',
      css: [{ filename: 'reference.css', content: readStyle(join(look, 'reference.css')).text }],
      js: [{ filename: 'reference.js', content: readScript(look, 'reference.js').text.replace('{{aster}}', asterSvg) }],
    },
  });
}
