/** Trace export to a collector by OTLP over HTTP, with OpenTelemetry's SDK. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Api from '@opentelemetry/api';
import type { Span, Tracing } from '../ports.ts';

/** `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header): version, trace, parent, flags. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const EXPORT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 3_000;

/** A span within a context of OpenTelemetry. */
type Held = Span & { context: Api.Context };

/**
 * Sends spans in batches to `ENDPOINT/v1/traces`. If a collector does not answer, spans are lost, but no request fails.
 * The modules take more than a second to load, so that they are loaded only here.
 */
export async function openOtlpTracing(options: { endpoint: string; service_name: string }): Promise<Tracing> {
  const api = await import('@opentelemetry/api');
  const sdk = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service_name }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer('asterism');
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, consumer: api.SpanKind.CONSUMER };
  const current = new AsyncLocalStorage<Held>();
  return {
    start(name, kind, attributes, remote) {
      const parent = (remote && remoteContext(api, remote)) ?? current.getStore()?.context ?? api.ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      return hold(api, span, parent);
    },
    within: (span, work) => current.run(span as Held, work),
    current: () => current.getStore(),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

function hold(api: typeof Api, span: Api.Span, parent: Api.Context): Held {
  return {
    trace_id: span.spanContext().traceId,
    context: api.trace.setSpan(parent, span),
    set: (attributes) => void span.setAttributes(attributes),
    end(error_type) {
      if (error_type !== undefined) {
        span.setAttribute('error.type', error_type);
        span.setStatus({ code: api.SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** The trace context of the request; undefined when it is absent or invalid. */
function remoteContext(
  api: typeof Api,
  { traceparent, tracestate }: { traceparent: string; tracestate: string | undefined },
): Api.Context | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  // Version 00 has exactly these four parts; ff is forbidden; later ones may have more (section 4.3 there).
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  const sent: Api.SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: api.createTraceState(tracestate) }),
  };
  return api.isSpanContextValid(sent) ? api.trace.setSpanContext(api.ROOT_CONTEXT, sent) : undefined;
}
