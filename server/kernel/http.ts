/** HTTP: turns contracts into routes. The order of refusal is the order of this file. */
import { isUtf8 } from 'node:buffer';
import fastifyMultipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { deprecationHooks } from './deprecation.ts';
import { change, type Change, type Services } from './services.ts';
import { callerIdOf, isGuest, routeOf, type Caller, type Endpoint, type Guest, type Origin } from './endpoint.ts';
import { ApiError, fail, invalid } from './errors.ts';
import { keyOf, isAnswer, runUnderKey, selectAnswer } from './idempotency.ts';
import { isBodyRequired, readBody, takesFile } from './http-body.ts';
import { bearerOf, originOf } from './http-origin.ts';
import { countUploads, createGatedServer, makeRequestId, type EnterUpload } from './http-load.ts';
import { createLoadGate, type LoadGate } from './load-gate.ts';
import { answerBrokenRequest, sendError, unauthorized } from './http-refusal.ts';
import { takeBudget } from './http-budget.ts';
import { send, toAnswer } from './http-reply.ts';
import { answerWithCookies } from './http-session-cookie.ts';
import { requireOneWay } from './page.ts';
import { createRouteTable } from './routes.ts';
import { compileValidator, object, type Validate } from './schema.ts';
import type { Standing, ThrottleClass } from './throttle.ts';
import { coerceQuery, findUnstorable, isText, parseJson } from './wire.ts';

/** Says who a token belongs to: at once from the cache, or after a look into the database. */
export type Authenticate = (
  token: string,
  request: { ip: string; device: string },
) => Caller | Guest | undefined | Promise<Caller | Guest | undefined>;

export type HttpOptions = {
  endpoints: Endpoint[];
  services: Services;
  authenticate: Authenticate;
  base_path: string;
  trust_proxy: boolean;
  /** Holds every reply against its schema: in tests. */
  check_replies: boolean;
};

type Admitted = {
  caller: Caller | Guest | undefined;
  standing: Standing | undefined;
  started_ms: number;
  origin: Origin;
  /** Gives back the place among those being worked on, while it has one. */
  leave: (() => void) | undefined;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its path also fits the address of a more exact one, whose methods are then looked up. */
    has_rival?: boolean;
  }
  interface FastifyRequest {
    admitted: Admitted;
    raw_body: string;
  }
}

type Compiled = {
  endpoint: Endpoint;
  path: Validate | undefined;
  query: Validate | undefined;
  body: Validate;
  is_body_required: boolean;
  reply: Validate | undefined;
};

const no_body = object({});

const notText = () => new ApiError('bad_request', { message: 'The address is not valid UTF-8.' });

/** Builds the server with a route for each endpoint. Other parts of the service add their own to it before it listens. */
export function buildHttp(options: HttpOptions): FastifyInstance {
  const { services } = options;
  const { limits } = services;
  const gate = createLoadGate(limits, services.metrics);
  const is_behind_tls = services.public_url.startsWith('https:');
  const enterUpload = countUploads(limits);
  const app = Fastify({
    logger: false,
    bodyLimit: limits.json_bytes,
    // The nearest proxy alone is believed: what stands before its own entry was written by the client.
    trustProxy: options.trust_proxy && ((_address, hop) => hop === 0),
    serverFactory: (handler) =>
      createGatedServer(handler, limits, gate, { base_path: `${options.base_path}/`, metrics: services.metrics }),
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 500 },
    genReqId: makeRequestId,
    frameworkErrors: (error, request, reply) =>
      sendError(services, request, reply, error.code === 'FST_ERR_BAD_URL' ? notText() : new ApiError('not_found')),
    clientErrorHandler: answerBrokenRequest,
  });
  app.decorateRequest('admitted');
  app.decorateRequest('raw_body', '');
  const routes = createRouteTable(
    options.endpoints.map((endpoint) => routeOf(endpoint)),
    options.base_path,
  );

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Behind TLS a browser is to come back by TLS alone (RFC 6797), for two years.
    if (is_behind_tls) reply.header('strict-transport-security', 'max-age=63072000');
    if (!isText(request.url)) return done(notText());
    const { has_rival } = request.routeOptions.config;
    if (!request.is404 && !has_rival) return done();
    const allowed = routes.methodsOf(request.url);
    if (!allowed) return done(request.is404 ? new ApiError('not_found') : undefined);
    if (!request.is404 && allowed.split(', ').includes(request.method)) return done();
    if (request.method === 'OPTIONS') {
      reply.header('access-control-allow-methods', allowed).header('allow', allowed).status(204).send();
      return;
    }
    return done(new ApiError('method_not_allowed', { headers: { allow: allowed } }));
  });
  app.setNotFoundHandler(() => fail('not_found'));
  app.setErrorHandler((error, request, reply) => sendError(services, request, reply, error));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body as Buffer)) return done(new ApiError('bad_request', { message: 'The body is not valid UTF-8.' }));
    request.raw_body = body.toString();
    try {
      done(null, parseJson(request.raw_body));
    } catch (error) {
      done(error as Error);
    }
  });
  void app.register(fastifyMultipart, {
    limits: { files: 1, fields: 8, parts: 9, fieldSize: limits.json_bytes, fileSize: limits.upload_bytes },
  });
  void app.register((scope, _options, done) => {
    for (const endpoint of options.endpoints)
      addRoute(scope, endpoint, options, { gate, enterUpload, has_rival: routes.hasRival(routeOf(endpoint).path) });
    done();
  });
  return app;
}

function addRoute(
  app: FastifyInstance,
  endpoint: Endpoint,
  options: HttpOptions,
  { gate, enterUpload, has_rival }: { gate: LoadGate; enterUpload: EnterUpload; has_rival: boolean },
): void {
  const { method, path } = routeOf(endpoint);
  const compiled: Compiled = {
    endpoint,
    path: endpoint.path && compileValidator(endpoint.path),
    query: endpoint.query && compileValidator(endpoint.query),
    body: compileValidator(endpoint.body ?? no_body),
    is_body_required: isBodyRequired(endpoint),
    reply: options.check_replies && endpoint.reply ? compileValidator(endpoint.reply) : undefined,
  };
  app.route({
    method,
    config: { operation: endpoint.id, has_rival },
    url: options.base_path + path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [...deprecationHooks(endpoint.deprecated), (request, reply) => admit(compiled, options, request, reply)],
    handler: (request, reply) => {
      request.admitted.leave = gate.enter(request.raw);
      if (takesFile(endpoint) && request.isMultipart()) enterUpload(request, reply);
      return handle(compiled, options, gate, request, reply);
    },
  });
}

/** Token, gate, throttle, path identifiers: everything that refuses before the body is read. */
async function admit(
  compiled: Compiled,
  options: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { endpoint } = compiled;
  const { gate } = endpoint;
  const admitted: Admitted = {
    caller: undefined,
    standing: undefined,
    started_ms: performance.now(),
    origin: originOf(request),
    leave: undefined,
  };
  request.admitted = admitted;
  reply.header('cache-control', 'no-store');
  if (gate !== 'public') {
    const token = bearerOf(request);
    if (token !== undefined) {
      const found = options.authenticate(token, admitted.origin);
      admitted.caller = found instanceof Promise ? await found : found;
      if (!admitted.caller) throw unauthorized('token_invalid');
    } else if (gate !== 'optional') {
      throw unauthorized('unauthenticated');
    }
    if (admitted.caller) passGate(gate, admitted.caller);
  }
  const taken = takeBudget(
    options,
    request,
    reply,
    endpoint.throttle ?? 'default',
    admitted.caller ? callerIdOf(admitted.caller) : request.ip,
  );
  // What is known at once is not waited for: each turn of the queue of promises costs a part of what a small read costs.
  if (taken) await taken;
  if (compiled.path?.(request.params)) fail('not_found');
}

/** A guest comes in only where an operation says so. @throws ApiError `forbidden`, `mobile_unverified` */
function passGate(gate: Endpoint['gate'], caller: Caller | Guest): void {
  if (isGuest(caller)) {
    if (gate !== 'guest') fail('forbidden', { message: 'Guests cannot do this.' });
  } else if ((gate === 'verified' || gate === 'guest') && !caller.mobile_verified) fail('mobile_unverified');
}

async function handle(
  compiled: Compiled,
  options: HttpOptions,
  gate: LoadGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { endpoint } = compiled;
  const { services } = options;
  const { method } = routeOf(endpoint);
  const { caller } = request.admitted;
  const query = endpoint.query ? coerceQuery(endpoint.query, request.query as Record<string, unknown>) : {};
  const query_fields = compiled.query?.(query) ?? findUnstorable(JSON.stringify(query), query);
  if (query_fields) invalid(query_fields);
  requireOneWay(query);
  const read = () => readBody(compiled, services.limits, method, request);
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
    take: async (name: ThrottleClass, key: string, amount?: number) =>
      takeBudget(options, request, reply, name, key, amount),
  };
  if (method === 'GET') {
    const result = await runRead(endpoint, gate, request, given);
    return send(endpoint, services, request, reply, toAnswer(endpoint, compiled.reply, result), result);
  }
  const key = keyOf(endpoint, {
    header: request.headers['idempotency-key'],
    owner: caller ? callerIdOf(caller) : `ip:${request.ip}`,
    body: file ? [request.url, JSON.stringify(body), file.bytes] : [request.url, request.raw_body],
  });
  // Looked up early only where that saves slow work; the transaction looks in any case.
  const known = key && endpoint.prepare && (await selectAnswer(services.db, key, given.now));
  if (known) return send(endpoint, services, request, reply.header('idempotent-replayed', 'true'), known);
  let refusal: ApiError | undefined;
  const prepare = endpoint.prepare && (() => endpoint.prepare?.(given as never) as Promise<unknown>);
  const prepared = await (prepare && gate.park(request.raw, prepare))?.catch((error: unknown) => {
    if (!key || !isAnswer(error)) throw error;
    refusal = error;
  });
  let result: unknown;
  let ran = false;
  const run = async (one: Change) => {
    if (refusal) throw refusal;
    // A change that was undone for another is done again.
    ran = false;
    result = await endpoint.run({ ...given, ...one, prepared } as never);
    ran = true;
    return toAnswer(endpoint, compiled.reply, result);
  };
  const discard = () => (prepared === undefined ? undefined : endpoint.discard?.(prepared, services));
  const answer = await (key ? runUnderKey(services, key, run) : change(services, run)).catch(async (error: unknown) => {
    // Where the rule went through and the connection broke, the commit may have been on its way.
    if (!ran || (error as { severity?: string }).severity === 'ERROR') await discard();
    throw error;
  });
  if (!ran) await discard();
  if ('repeated' in answer && answer.repeated) reply.header('idempotent-replayed', 'true');
  return send(endpoint, services, request, reply, answerWithCookies(endpoint, options, request, reply, answer), result);
}

/** Runs an operation that changes nothing: on the pool, without a transaction. */
async function runRead(
  endpoint: Endpoint,
  gate: LoadGate,
  request: FastifyRequest,
  given: { services: Services },
): Promise<unknown> {
  const none = () => fail('internal_error', { cause: new Error('a GET changes nothing') });
  const { db, id } = given.services;
  const { prepare } = endpoint;
  const prepared = prepare && (await gate.park(request.raw, () => prepare(given as never) as Promise<unknown>));
  return endpoint.run({ ...given, db, id, emit: none, enqueue: none, afterCommit: none, prepared } as never);
}
