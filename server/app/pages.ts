/** Pages: the web client, join links, and the API reference. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../kernel/errors.ts';

const web_dir = join(import.meta.dirname, '..', '..', 'web', 'dist');

/** What a page of ours may load: itself, pictures and media, and sockets to the media server. */
const content_security_policy =
  "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss: http: https:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'";

/** Adds the web client under `/app`, where its build exists, and the short join links. */
export function addPages(http: FastifyInstance): void {
  http.get('/', async (_request, reply) => reply.redirect('/app/'));
  http.get<{ Params: { code: string } }>('/j/:code', async (request, reply) => {
    if (!/^[a-z]{3}-[a-z]{4}-[a-z]{3}$/.test(request.params.code)) throw new ApiError('not_found');
    return reply.redirect(`/app/j/${request.params.code}`);
  });
  if (!existsSync(join(web_dir, 'index.html'))) return;
  const page = readFileSync(join(web_dir, 'index.html'));
  void http.register(fastifyStatic, {
    root: join(web_dir, 'assets'),
    prefix: '/app/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  const sendPage = async (_request: unknown, reply: FastifyReply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', content_security_policy)
      .header('referrer-policy', 'no-referrer')
      .send(page);
  http.get('/app', async (_request, reply) => reply.redirect('/app/'));
  http.get('/app/', sendPage);
  // Every address of the client that is not a file is the client's own to read.
  http.get('/app/*', sendPage);
}
