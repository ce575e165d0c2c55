import { ApiError, NetworkError } from '@asterism/sdk';

/** What went wrong, in words for people; the service's own where it gave some. */
export function describeProblem(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'rate_limited') return `Too many tries. Try again ${describeWait(error.retry_after_s)}.`;
    return error.message;
  }
  if (error instanceof NetworkError) return error.message;
  return 'Something went wrong on this page. Reload it and try again.';
}

/** The messages that belong at inputs, by field name. */
export function fieldProblems(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}

/** What to say above a form: nothing when every message stands at an input of it. */
export function formProblem(error: unknown, shown: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const names = Object.keys(fieldProblems(error));
  if (names.length === 0) return describeProblem(error);
  const others = names.filter((name) => !shown.includes(name));
  if (others.length === 0) return undefined;
  return others.map((name) => `${name}: ${fieldProblems(error)[name] ?? ''}`).join(' ');
}

/** Whether the service refused with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

function describeWait(wait_s: number | undefined): string {
  if (wait_s === undefined) return 'later';
  if (wait_s < 90) return `in ${wait_s} seconds`;
  return `in ${Math.ceil(wait_s / 60)} minutes`;
}
