import type { Source } from './wanted-sources.ts';

const KEY = 'asterism.call-sources';

/** Stores which sources are on in the call of this tab, or will be, so that a reload turns on none that the reader turned off. */
export function saveSources(join_code: string, sources: readonly Source[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ join_code, sources }));
  } catch {
    // Without storage a reload starts with those of the address.
  }
}

/** The sources that were chosen for this call, or on before a reload; undefined in a call that this tab was not in. */
export function readSources(join_code: string): readonly Source[] | undefined {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { join_code?: string; sources?: unknown };
    if (saved.join_code !== join_code || !Array.isArray(saved.sources)) return undefined;
    return saved.sources.filter((one): one is Source => one === 'microphone' || one === 'camera');
  } catch {
    return undefined;
  }
}

/** Deletes them when the call is left. */
export function forgetSources(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
