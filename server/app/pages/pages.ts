/** Pages: the web client, join links, and the API reference. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../kernel/errors.ts';
import type { Services } from '../../kernel/services.ts';
import { addClientPage } from './client-page.ts';
import { hashSource } from './inline-sources.ts';

const web_dir = join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** The addresses of the service and its media server. */
type ServiceAddresses = { public_url: string; media: Pick<Services['media'], 'client_url'> };

/** The addresses that our pages connect to, for `connect-src`: the service and the media server. */
export function connectSources({ public_url, media }: ServiceAddresses): string {
  const addresses = [public_url, media.client_url].flatMap((address) => address ?? []);
  // Browsers open `ws:` to these, and the media client fetches the reason for a refused socket over `http:`.
  const sources = addresses.flatMap((address) => [toOrigin(address, 'ws'), toOrigin(address, 'http')]);
  return ["'self'", ...new Set(sources)].join(' ');
}

/** The hashes of inline scripts, which set the theme before the first paint (CSP 3, section 2.3.1). */
function hashInlineScripts(page: string): string[] {
  return [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => hashSource(script));
}

/** The content security policy of our pages: the service, media, the realtime stream and the media server. */
export function writePolicy(services: ServiceAddresses, page: string): string {
  return [
    "default-src 'self'",
    // Background blur runs our own WebAssembly; `eval` of text stays forbidden.
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashInlineScripts(page)].join(' '),
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `connect-src ${connectSources(services)}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
}

/** The origin of an address, with its scheme converted to another family: `https:` to `wss:`. */
function toOrigin(address: string, family: 'ws' | 'http'): string {
  const { protocol, host } = new URL(address);
  return `${family}${protocol === 'https:' || protocol === 'wss:' ? 's' : ''}://${host}`;
}

/** The files with fixed names beside the page, by their endings: content type and caching. */
const plain_files: Record<string, { type: string; cache: string }> = {
  // A cached service worker would keep running after a new one is deployed.
  '.js': { type: 'text/javascript; charset=utf-8', cache: 'no-cache' },
  '.png': { type: 'image/png', cache: 'public, max-age=86400' },
  '.svg': { type: 'image/svg+xml', cache: 'public, max-age=86400' },
};

function addPlainFiles(http: FastifyInstance, content_security_policy: string): void {
  for (const name of readdirSync(web_dir)) {
    const kind = plain_files[extname(name)];
    if (!kind) continue;
    const bytes = readFileSync(join(web_dir, name));
    http.get(`/app/${name}`, async (_request, reply) =>
      reply
        .header('content-type', kind.type)
        .header('cache-control', kind.cache)
        .header('content-security-policy', content_security_policy)
        .header('x-content-type-options', 'nosniff')
        .send(bytes),
    );
  }
}

/** Closed to search engines (RFC 9309): the API, and addresses that contain a secret. Public pages control their indexing themselves. */
const closed_to_robots = ['/v1/', '/j/', '/i/', '/g/', '/l/', '/e/', '/w/', '/calendar/'];
const robots = ['User-agent: *', ...closed_to_robots.map((start) => `Disallow: ${start}`), ''].join('\n');

/** Adds the web client under `/app`, if it was built, and the short join links. */
export function addPages(http: FastifyInstance, services: Services): void {
  http.get('/', async (_request, reply) => reply.redirect('/app/'));
  http.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(robots),
  );
  http.get<{ Params: { code: string } }>('/j/:code', async (request, reply) => {
    if (!/^[a-z]{3}-[a-z]{4}-[a-z]{3}$/.test(request.params.code)) throw new ApiError('not_found');
    return reply.redirect(`/app/j/${request.params.code}`);
  });
  if (!existsSync(join(web_dir, 'index.html'))) return;
  const page = readFileSync(join(web_dir, 'index.html'), 'utf8');
  const content_security_policy = writePolicy(services, page);
  void http.register(fastifyStatic, {
    root: join(web_dir, 'assets'),
    prefix: '/app/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  });
  addPlainFiles(http, content_security_policy);
  const manifest = readFileSync(join(web_dir, 'manifest.webmanifest'), 'utf8');
  addClientPage(http, { page, manifest }, { 'content-security-policy': content_security_policy });
}
