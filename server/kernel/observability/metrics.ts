/** Metrics for Prometheus: requests by operation, and what the parts of the service say of themselves. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type Metrics = {
  registry: Registry;
  /** Notes one answered request. */
  observeRequest(operation: string, status: number, seconds: number): void;
  shed: Counter;
};

/** Makes a registry of its own, so that two services in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // A look at the loop each 10 ms, which is the library's own measure, would be nearly all that an idle service does.
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
  // The library names a series by sorting and joining its labels, which for each request costs more than the counting.
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

/** Adds a gauge that is read when somebody asks; one that cannot be read is NaN, and the others are told all the same. */
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
