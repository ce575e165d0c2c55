/** Tracing: creates spans when a collector is configured. Without one, requests are not affected. */
import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '../engines/ports.ts';
import type { Pool, Queryable, Sql } from './database/database.ts';
import type { Job } from './job.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
  interface FastifyContextConfig {
    /** The operation's name; other routes have no name and no span. */
    operation?: string;
  }
}

/**
 * Gives every request to an operation a span with the operation's name (semantic conventions for HTTP servers, 1.23).
 * The path is recorded as its template, since some paths contain the join code of a call.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { config, url = '' } = request.routeOptions;
    if (config.operation === undefined) return done();
    const { traceparent, tracestate } = request.headers;
    const span = tracing.start(
      config.operation,
      'server',
      {
        'http.request.method': request.method,
        'http.route': url.replaceAll(/:(\w+)/g, '{$1}'),
        'url.scheme': request.protocol,
        'server.address': request.hostname,
        'network.protocol.version': request.raw.httpVersion,
        'asterism.request_id': request.id,
      },
      typeof traceparent === 'string' ? { traceparent, tracestate: tracestate?.toString() } : undefined,
    );
    request.span = span;
    tracing.within(span, done);
  });
  // The body arrives outside the async context in which its request began.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) tracing.within(request.span, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode;
    request.span?.set({ 'http.response.status_code': status });
    request.span?.end(status >= 500 ? String(status) : undefined);
    done();
  });
}

/** Wraps a pool, with a span for each statement that runs within another span. Parameter values are not recorded. */
export function tracePool(pool: Pool, tracing: Tracing): Pool {
  const summaries = new Map<string, string>();
  const wrap = (inner: Queryable): Queryable => {
    const traced = <T>(statement: Sql, run: () => Promise<T>): Promise<T> => {
      if (!tracing.current()) return run();
      const summary = summaryOf(statement.text, summaries);
      return runWithin(
        tracing,
        summary,
        'client',
        { ...statementAttributes(statement), 'db.query.summary': summary },
        run,
      );
    };
    return {
      is_pipelined: inner.is_pipelined,
      many: (statement) => traced(statement, () => inner.many(statement)),
      maybe: (statement) => traced(statement, () => inner.maybe(statement)),
      one: (statement) => traced(statement, () => inner.one(statement)),
      run: (statement) => traced(statement, () => inner.run(statement)),
    };
  };
  return {
    ...wrap(pool),
    transaction: (work, finish) => pool.transaction((tx) => work(wrap(tx)), finish && ((tx) => finish(wrap(tx)))),
    together: (work) => pool.together((db) => work(wrap(db))),
    isBehind: () => pool.isBehind(),
    state: () => pool.state(),
    native: pool.native,
    close: () => pool.close(),
  };
}

/** Wraps a job, with a root span for each run. */
export function traceJob<P>(job: Job<P>, tracing: Tracing): Job<P> {
  const attributes = { 'messaging.operation.type': 'process', 'messaging.destination.name': job.name };
  return {
    ...job,
    run: (payload, services) => runWithin(tracing, job.name, 'consumer', attributes, () => job.run(payload, services)),
  };
}

/** Fields for every log line that is written within a span. */
export function traceFields(tracing: Tracing): { trace_id?: string } {
  const span = tracing.current();
  return span ? { trace_id: span.trace_id } : {};
}

async function runWithin<T>(
  tracing: Tracing,
  name: string,
  kind: 'client' | 'consumer',
  attributes: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracing.start(name, kind, attributes);
  try {
    const result = await tracing.within(span, work);
    span.end();
    return result;
  } catch (error) {
    const { code, name: class_name } = error as { code?: string; name?: string };
    span.end(code ?? class_name ?? 'error');
    throw error;
  }
}

const statementAttributes = ({ text }: Sql) => ({ 'db.system.name': 'postgresql', 'db.query.text': text });

/** The verb and the table of a statement, such as `SELECT users`. The number of texts is bounded by the code. */
function summaryOf(text: string, known: Map<string, string>): string {
  let summary = known.get(text);
  if (summary === undefined) {
    const verb = /\b(select|insert|update|delete)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const table = /\b(?:from|into|update)\s+([\w.]+)/i.exec(text)?.[1];
    summary = table ? `${verb} ${table}` : verb;
    known.set(text, summary);
  }
  return summary;
}
