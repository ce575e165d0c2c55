import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTracing } from '../../app/engines.ts';
import { readConfig } from '../../app/config/config.ts';
import type { Tracing } from '../../engines/ports.ts';
import { createLog } from '../../kernel/observability/log.ts';
import { traceFields } from '../../kernel/tracing.ts';
import { poll, prepareData, program_environment } from '../running/running-service.ts';
import { fastFolder } from '../world/fast-folder.ts';
import { createWorld, type World } from '../world/world.ts';

/** A span in OTLP's JSON encoding (opentelemetry-proto, trace.proto). */
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  status: { code?: number };
};

/** One export (opentelemetry-proto, trace_service.proto). */
type Batch = { resourceSpans: { resource: Pick<Span, 'attributes'>; scopeSpans: { spans: Span[] }[] }[] };

const server_kind = 2;
const client_kind = 3;
const consumer_kind = 5;

/** Prints each module of OpenTelemetry that a process loads, by import or by require. */
const load_logger = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.includes('@opentelemetry')) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });`;

/**
 * Runs the whole service until it is ready, stops it, and returns the modules of OpenTelemetry's SDK that it loaded.
 */
async function modulesLoaded(environment: Record<string, string>): Promise<string[]> {
  const data_dir = mkdtempSync(join(fastFolder(), 'asterism-tracing-'));
  chmodSync(data_dir, 0o755);
  await prepareData(join(data_dir, 'data'));
  const child = spawn(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(load_logger)}`, 'server/main.ts'],
    {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { ...program_environment, DATA_DIR: join(data_dir, 'data'), PORT: '0', MEDIA_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close');
  try {
    await poll(async () => output.includes('"ready_ms"'), 'the service');
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(data_dir, { recursive: true, force: true });
  }
  // prom-client imports the types of exemplars from the API package, which contains no exporter.
  return errors.split('\n').filter((line) => line.startsWith('loaded ') && !line.includes('/@opentelemetry/api/'));
}

describe('traces', () => {
  let collector: Server;
  let tracing: Tracing;
  let world: World;
  const spans: Span[] = [];
  const services = new Set<string>();
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const receiveBatch = async (request: IncomingMessage, response: ServerResponse) => {
      const { resourceSpans } = (await json(request)) as Batch;
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(attribute({ attributes: resource.attributes }, 'service.name') as string);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    };
    collector = createServer((request, response) => void receiveBatch(request, response)).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'asterism-test' };
    tracing = (await openTracing(readConfig(environment, '/nowhere'))) as Tracing;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    });
    world = await createWorld({ tracing, log: createLog('info', () => traceFields(tracing), sink) });
  });
  afterAll(async () => {
    await world.close();
    await tracing.close();
    collector.close();
  });

  /** The spans of a trace once one with that name has arrived. */
  const traceOf = (name: string, where: (span: Span) => boolean = () => true): Promise<Span[]> =>
    poll(async () => {
      const found = spans.find((span) => span.name === name && where(span));
      return found && spans.filter(({ traceId }) => traceId === found.traceId);
    }, `the span ${name}`);
  const attribute = (span: Pick<Span, 'attributes'>, name: string) => {
    const { stringValue, intValue } = span.attributes.find(({ key }) => key === name)?.value ?? {};
    return stringValue ?? (intValue === undefined ? undefined : Number(intValue));
  };

  it('contain the operation of a request, with its statements as children', async () => {
    const { status, headers } = await world.call('GET /auth/username-available?username=somebody');
    expect(status).toBe(200);
    const isOfRequest = (span: Span) => attribute(span, 'asterism.request_id') === headers['x-request-id'];
    const trace = await traceOf('checkUsername', isOfRequest);
    const root = trace.find(({ kind }) => kind === server_kind) as Span;
    expect(root.name).toBe('checkUsername');
    expect(root.parentSpanId ?? '').toBe('');
    expect(attribute(root, 'http.request.method')).toBe('GET');
    expect(attribute(root, 'http.route')).toBe('/v1/auth/username-available');
    expect(attribute(root, 'http.response.status_code')).toBe(200);
    const statements = trace.filter(({ kind }) => kind === client_kind);
    expect(statements.map(({ parentSpanId }) => parentSpanId)).toEqual(statements.map(() => root.spanId));
    expect(attribute(statements[0] as Span, 'db.query.summary')).toBe('SELECT users');
    expect(attribute(statements[0] as Span, 'db.query.text')).toContain('$1');
    expect(JSON.stringify(trace)).not.toContain('somebody');
    expect([...services]).toEqual(['asterism-test']);
  });

  it('continue the trace of the caller, and respect its sampling decision', async () => {
    const trace_id = '0af7651916cd43dd8448eb211c80319c';
    const request = (traceparent: string) =>
      world.call('GET /auth/username-available?username=somebody', { headers: { traceparent, tracestate: 'them=1' } });
    await request(`00-${trace_id.replaceAll('a', 'b')}-b7ad6b7169203331-00`);
    await request('00-00000000000000000000000000000000-b7ad6b7169203331-01');
    await request(`ff-${trace_id}-b7ad6b7169203331-01`);
    await request(`00-${trace_id}-b7ad6b7169203331-01`);
    const trace = await traceOf('checkUsername', ({ traceId }) => traceId === trace_id);
    const roots = trace.filter(({ kind }) => kind === server_kind);
    expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual(['b7ad6b7169203331']);
    // The unsampled one would have arrived by now, like those with an invalid header.
    const all = spans.filter(({ name }) => name === 'checkUsername').map(({ traceId }) => traceId);
    expect(all).toHaveLength(4);
    expect(all).not.toContain(trace_id.replaceAll('a', 'b'));
  });

  it('contain a request with a body, a job, and their statements', async () => {
    const body = { email: 'nobody@example.org' };
    expect((await world.call('POST /auth/magic-link', { body })).status).toBe(202);
    await world.settle();
    const request = await traceOf('sendMagicLink');
    const texts = request.map((span) => attribute(span, 'db.query.text'));
    expect(texts).toContainEqual(expect.stringContaining('graphile_worker.add_job'));
    const job = await traceOf('auth.link');
    const root = job.find(({ kind }) => kind === consumer_kind) as Span;
    expect(attribute(root, 'messaging.destination.name')).toBe('auth.link');
    expect(job.filter(({ parentSpanId }) => parentSpanId === root.spanId).map(({ kind }) => kind)).toContain(
      client_kind,
    );
    expect(JSON.stringify([request, job])).not.toContain('nobody@');
  });

  it("load no module of OpenTelemetry's SDK without a configured collector", async () => {
    expect(await modulesLoaded({})).toEqual([]);
    const named = await modulesLoaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(named.some((line) => line.includes('@opentelemetry/sdk-trace'))).toBe(true);
  });

  it('are referenced in log lines, and mark failed requests and statements', async () => {
    await world.app.services.db.native.query('alter table users rename to users_away');
    const answer = await world.call('GET /auth/username-available?username=somebody');
    await world.app.services.db.native.query('alter table users_away rename to users');
    expect(answer.status).toBe(500);
    const line = lines.find(({ request_id }) => request_id === answer.headers['x-request-id']);
    const trace = await traceOf('checkUsername', ({ traceId }) => traceId === line?.['trace_id']);
    const root = trace.find(({ kind }) => kind === server_kind) as Span;
    expect([root.status.code, attribute(root, 'error.type')]).toEqual([2, '500']);
    const statement = trace.find(({ kind }) => kind === client_kind) as Span;
    expect([statement.status.code, attribute(statement, 'error.type')]).toEqual([2, '42P01']);
  });
});
