/** Tests that need more than Node and npm: where the machine lacks it they are skipped, and their title says why. */
import { describe, it, type TestOptions } from 'vitest';
import { titleWithReason } from './skip-reason.mjs';

type Body = () => void | Promise<void>;

/**
 * `describe`, skipped where something is missing.
 * @param missing what the machine lacks, such as `ffmpeg` or `REDIS_TEST_URL`; undefined where nothing is
 */
export function describeUnlessMissing(missing: string | undefined, title: string, body: () => void): void;
export function describeUnlessMissing(
  missing: string | undefined,
  title: string,
  options: TestOptions,
  body: () => void,
): void;
export function describeUnlessMissing(
  missing: string | undefined,
  title: string,
  options: TestOptions | (() => void),
  body?: () => void,
): void {
  const describeIt = describe.skipIf(missing !== undefined);
  if (typeof options === 'function') describeIt(titleWithReason(title, missing), options);
  else describeIt(titleWithReason(title, missing), options, body ?? (() => undefined));
}

/** `it`, skipped where something is missing. `timeout_ms` as vitest's own. */
export function itUnlessMissing(missing: string | undefined, title: string, body: Body, timeout_ms?: number): void {
  it.skipIf(missing !== undefined)(titleWithReason(title, missing), body, timeout_ms);
}
