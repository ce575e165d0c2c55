/**
 * HTTP: turns contracts into routes. Checks run in the order of this file; those before the body is read are in
 * `http-admission.ts`.
 */
import { isUtf8 } from 'node:buffer';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { deprecationHooks } from '../deprecation.ts';
import type { Services } from '../services.ts';
import { callerIdOf } from '../caller.ts';
import { routeOf } from '../endpoint.ts';
import { ApiError, fail } from '../errors.ts';
import { keyOf, selectAnswer } from './idempotency.ts';
import { readBody, takesFile } from './http-body.ts';
import { bearerOf } from './http-origin.ts';
import { countUploads, createGatedServer, generateRequestId, type CountUpload } from './http-load.ts';
import { createLoadGate, type Clients, type LoadGate } from '../load/load-gate.ts';
import { answerBrokenRequest, sendError, type WriteErrorPage } from './http-refusal.ts';
import { refund, consumeBudget } from './http-budget.ts';
import { send } from './http-reply.ts';
import { answerWithCookies } from './http-session-cookie.ts';
import { checkQuery, runOperation, type Operation } from './operation.ts';
import { createRouteTable, type RouteTable } from './routes.ts';
import type { Limits } from '../load/limits.ts';
import type { ThrottleClass } from '../load/throttle.ts';
import { isText, parseJson } from './wire.ts';
import { type Authenticate, admit, readmit, budgetKeyOf } from './http-admission.ts';

/** What the routes of the API need. */
export type HttpOptions = {
  services: Services;
  operations: readonly Operation[];
  authenticate: Authenticate;
  /** The account of a token that was verified before, without reading anything. */
  recall: (token: string) => string | undefined;
  base_path: string;
  trust_proxy: boolean;
  /** Renders the error page for browsers that request a page outside `base_path`; without it they get the envelope. */
  writeErrorPage?: WriteErrorPage;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its path also matches the address of a more specific route, so that methods need to be looked up. */
    has_overlapping_route?: boolean;
    /** Whether pages of other origins call it. */
    cross_origin?: boolean;
  }
  interface FastifyRequest {
    raw_body: string;
  }
}

const notText = () => new ApiError('bad_request', { message: 'The address is not valid UTF-8.' });

/**
 * Builds the server with a route for each endpoint. Other parts of the service add their own routes before it listens.
 */
export function buildHttp(options: HttpOptions): FastifyInstance {
  const { services } = options;
  const { limits } = services;
  const gate = createLoadGate(limits, services.metrics, clientsOf(options), () => services.db.isBehind());
  const is_behind_tls = services.public_url.startsWith('https:');
  const enterUpload = countUploads(limits);
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) =>
    sendError(services, request, reply, error, asksForPage(request, options) ? options.writeErrorPage : undefined);
  const app = Fastify({
    logger: false,
    bodyLimit: limits.json_bytes,
    // Only the nearest proxy is trusted: entries before its own were written by the client.
    trustProxy: options.trust_proxy && ((_address, hop) => hop === 0),
    serverFactory: (handler) => createGatedServer(handler, gate, options),
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 500 },
    genReqId: generateRequestId,
    frameworkErrors: (error, request, reply) =>
      refuse(request, reply, error.code === 'FST_ERR_BAD_URL' ? notText() : new ApiError('not_found')),
    clientErrorHandler: answerBrokenRequest,
  });
  app.decorateRequest('admitted');
  app.decorateRequest('raw_body', '');
  const routes = createRouteTable(
    options.operations.map(({ endpoint }) => routeOf(endpoint)),
    options.base_path,
  );

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Behind TLS, browsers are instructed to use TLS only (RFC 6797), for two years.
    if (is_behind_tls) reply.header('strict-transport-security', 'max-age=63072000');
    // The load gate reads the path as it is written: an escaped version (`/%761/me`) would go around it.
    const is_disguised =
      isBelow(options.base_path, request.routeOptions.url) && !isBelow(options.base_path, request.url);
    if (is_disguised) return done(new ApiError('not_found'));
    answerUnroutable(routes, request, reply, done);
  });
  app.setNotFoundHandler(() => fail('not_found'));
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
  addBodyParsers(app, limits);
  void app.register((scope, _options, done) => {
    for (const operation of options.operations) {
      const has_overlapping_route = routes.hasOverlap(routeOf(operation.endpoint).path);
      addRoute(scope, operation, options, { gate, enterUpload, has_overlapping_route });
    }
    done();
  });
  return app;
}

const isBelow = (base_path: string, path = '') => path.startsWith(`${base_path}/`);

/** Refuses a request that no route takes, for its path or its method, and answers OPTIONS; passes on any other. */
function answerUnroutable(
  routes: RouteTable,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  if (!isText(request.url)) return done(notText());
  const { has_overlapping_route } = request.routeOptions.config;
  if (!request.is404 && !has_overlapping_route) return done();
  const allowed = routes.methodsOf(request.url);
  if (!allowed) return done(request.is404 ? new ApiError('not_found') : undefined);
  if (!request.is404 && allowed.split(', ').includes(request.method)) return done();
  if (request.method === 'OPTIONS') {
    reply.header('access-control-allow-methods', allowed).header('allow', allowed).status(204).send();
    return;
  }
  return done(new ApiError('method_not_allowed', { headers: { allow: allowed } }));
}

/** Bodies are JSON, whose text is kept for the idempotency key, or multipart with one file; all others are refused. */
function addBodyParsers(app: FastifyInstance, limits: Limits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(new ApiError('bad_request', { message: 'The body is not valid UTF-8.' }));
    request.raw_body = body.toString();
    try {
      done(null, parseJson(request.raw_body));
    } catch (error) {
      done(new ApiError('bad_request', { message: 'The body is not valid JSON.', cause: error }));
    }
  });
  void app.register(fastifyMultipart, {
    limits: { files: 1, fields: 8, parts: 9, fieldSize: limits.json_bytes, fileSize: limits.upload_bytes },
  });
}

function clientsOf({ trust_proxy, recall }: HttpOptions): Clients {
  return {
    trust_proxy,
    recall(request) {
      const token = bearerOf(request);
      return token === undefined ? undefined : recall(token);
    },
  };
}

/** Whether a browser navigates to a page, as opposed to an API request (Fetch: a navigation prefers HTML). */
function asksForPage({ method, url, headers }: FastifyRequest, { base_path }: HttpOptions): boolean {
  const is_interface = url === base_path || url.startsWith(`${base_path}/`);
  return method === 'GET' && !is_interface && (headers.accept ?? '').startsWith('text/html');
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  options: HttpOptions,
  {
    gate,
    enterUpload,
    has_overlapping_route,
  }: { gate: LoadGate; enterUpload: CountUpload; has_overlapping_route: boolean },
): void {
  const { endpoint } = operation;
  const { method, path } = routeOf(endpoint);
  app.route({
    method,
    config: { operation: endpoint.id, has_overlapping_route, cross_origin: endpoint.cross_origin ?? false },
    url: options.base_path + path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [
      ...deprecationHooks(endpoint.deprecated),
      (request, reply) => admit(operation, options, request, reply),
    ],
    handler: (request, reply) => {
      request.admitted.leave = gate.enter(request.raw);
      if (takesFile(endpoint) && request.isMultipart()) enterUpload(request, reply);
      return handle(operation, options, gate, reply);
    },
  });
}

async function handle(
  operation: Operation,
  options: HttpOptions,
  gate: LoadGate,
  reply: FastifyReply,
): Promise<unknown> {
  const { endpoint } = operation;
  const { services } = options;
  const { request } = reply;
  const { method } = routeOf(endpoint);
  const { caller, over_budget } = request.admitted;
  const exchange = { endpoint, services, reply };
  const query = checkQuery(operation, request.query as Record<string, unknown>);
  const read = () => readBody(operation, services.limits, method, request);
  const { body, file } = takesFile(endpoint) ? await gate.park(request.raw, read) : await read();
  const given = {
    caller,
    origin: request.admitted.origin,
    path: request.params,
    query,
    body,
    file,
    services,
    now: services.clock.now(),
    consume: async (name: ThrottleClass, key: string, amount?: number) =>
      consumeBudget(exchange, { name, key, amount }),
    readmit: () => readmit(services, request.admitted),
  };
  const key = keyOf(services.secrets, endpoint, {
    header: request.headers['idempotency-key'],
    owner: caller ? callerIdOf(caller) : `ip:${request.ip}`,
    body: file ? [request.url, JSON.stringify(body), file.bytes] : [request.url, request.raw_body],
  });
  if (over_budget && !(key && (await selectAnswer(services, services.db, key, given.now)))) throw over_budget;
  const park = <T>(work: () => Promise<T>) => gate.park(request.raw, work);
  const { answer, result, repeated } = await runOperation(operation, given, key, park);
  if (repeated) {
    reply.header('idempotent-replayed', 'true');
    await refund(exchange, { name: endpoint.throttle ?? 'default', key: budgetKeyOf(request) });
  }
  return send(exchange, answerWithCookies(exchange, options.base_path, answer), result);
}
