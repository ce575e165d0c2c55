/** Tests that need more than Node and npm: where it is missing they are skipped, with the reason in their title. */
import { describe, it, type TestOptions } from 'vitest';
import { titleWithReason } from './skip-reason.mjs';

type Body = () => void | Promise<void>;

/**
 * `describe`, skipped when something is missing.
 * @param missing what the machine lacks, such as `ffmpeg` or `REDIS_TEST_URL`; undefined when nothing is
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

/** `it`, skipped when something is missing. `timeout_ms` as vitest's own. */
export function itUnlessMissing(missing: string | undefined, title: string, body: Body, timeout_ms?: number): void {
  it.skipIf(missing !== undefined)(titleWithReason(title, missing), body, timeout_ms);
}
