/** Prometheus metrics: requests by operation, and gauges of the parts of the service. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The metrics of one service. */
export type Metrics = {
  registry: Registry;
  /** Records an answered request. */
  observeRequest(operation: string, status: number, seconds: number): void;
  shed: Counter;
};

/** Creates a separate registry, so that two services in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // The library's own event loop monitor samples every 10 ms, which would be most of the work of an idle service.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = new Histogram({
    name: 'asterism_http_request_seconds',
    help: 'Time from the headers to the answer, by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const shed = new Counter({
    name: 'asterism_http_shed_total',
    help: 'Requests refused with 503 because the node was busy.',
    registers: [registry],
  });
  // The library identifies a series by sorting and joining its labels, which costs more than the counting.
  const series = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  const seriesOf = (operation: string, status: number) => {
    const name = `${status} ${operation}`;
    let known = series.get(name);
    if (!known) {
      known = requests.labels({ operation, status: String(status) });
      series.set(name, known);
    }
    return known;
  };
  return {
    registry,
    observeRequest: (operation, status, seconds) => seriesOf(operation, status).observe(seconds),
    shed,
  };
}

/**
 * Adds a gauge that is computed when metrics are scraped; when that fails it is NaN, and the others are still reported.
 */
export function addGauge(metrics: Metrics, name: string, help: string, read: () => number | Promise<number>): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      const read_now = async () => read();
      gauge.set(await read_now().catch(() => Number.NaN));
    },
  });
}
