import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareWithLast, formatReport, type Row } from './capacity-report.ts';

const over = { accepted: 900, p99_ms: 20, shed: 0.7, unsent: 0, other: 0, peak_bytes: 2 ** 27, before_bytes: 2 ** 27 };
const row = (rate: number, speed: number, more: Partial<Row> = {}): Row => ({
  title: 'GET /me',
  bound_ms: 100,
  rate,
  speed,
  unfair: 0.1,
  is_complete: true,
  p99_ms: 12,
  bottleneck: 'the database',
  others: 0.1,
  over,
  ...more,
});
const method = {
  counted_trials: 16,
  step_ms: 1500,
  trial_factor: 1.07,
  overload_times: 4,
  overload_ms: 10_000,
  max_factor: 2,
};

describe('formatReport and compareWithLast', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asterism-capacity-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('normalises two runs by processor speed before it compares them', () => {
    const path = join(folder, 'deep', 'capacity.json');
    expect(compareWithLast([row(4000, 20)], path)).toEqual([]);
    // A quarter slower, on a processor that was a quarter slower.
    expect(compareWithLast([row(3000, 15)], path)).toEqual([]);
    expect(compareWithLast([row(3000, 20)], path)).toEqual(['GET /me']);
  });

  it('does not compare runs of different processors, and stores rows that this run did not measure', () => {
    const path = join(folder, 'capacity.json');
    writeFileSync(path, JSON.stringify({ processor: '1 × another', rows: [row(9000, 20)] }));
    expect(compareWithLast([row(4000, 20), row(400, 20, { title: 'POST /xtags' })], path)).toEqual([]);
    compareWithLast([row(4000, 20)], path);
    expect(compareWithLast([row(200, 20, { title: 'POST /xtags' })], path)).toEqual(['POST /xtags']);
  });

  it('marks rows as disturbed when other work or an uneven processor affected them', () => {
    expect(formatReport([row(4000, 20)], method)).toContain('| 4000 | 20.00 |');
    expect(formatReport([row(4000, 20, { others: 0.5 })], method)).toContain('| 4000 (disturbed) |');
    expect(formatReport([row(4000, 20, { is_complete: false })], method)).toContain('| 4000 (disturbed) |');
  });
});
