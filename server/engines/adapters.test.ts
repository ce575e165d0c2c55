/** Every adapter of a port is tested beside it, by the suite of its port (`server/testing/contracts/`) where there is one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The file of an adapter; its parts have a second name, as in `embedded.cluster.ts`. */
const ADAPTER = /^[\w-]+\.ts$/;

/** Tested elsewhere: what does nothing, with what uses it; the exporter of traces by `tracing.process.test.ts`. */
const elsewhere = new Set(['none.ts', 'otlp.ts']);

describe('adapters', () => {
  const ports = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it.each(ports.map(({ name }) => name))('of the port %s have a test each', (port) => {
    const files = readdirSync(join(import.meta.dirname, port));
    const adapters = files.filter((name) => ADAPTER.test(name) && !elsewhere.has(name));
    const isTested = (name: string) =>
      files.some((file) => file.startsWith(name.replace('.ts', '.')) && file.endsWith('.test.ts'));
    expect(adapters.filter((name) => !isTested(name))).toEqual([]);
  });
});
