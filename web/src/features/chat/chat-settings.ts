import type { Thread } from '@asterism/sdk';

/** What the reader has set of a chat for themselves. */
export type ChatSettings = Thread['settings'];

/** The end of a silence that has none. */
const FOR_EVER = '9999-12-31T23:59:59Z';
const HOUR_MS = 3_600_000;

/** Whether a chat is silent now. */
export const isMuted = ({ muted_until }: ChatSettings): boolean =>
  muted_until !== null && Date.parse(muted_until) > Date.now();

/** When a silence of some hours that begins now is over, in whole seconds. */
export const mutedFor = (hours: number): string =>
  hours === Infinity ? FOR_EVER : new Date(Date.now() + hours * HOUR_MS).toISOString().replace(/\.\d+Z$/, 'Z');

/** The settings of a chat in which something new was written: it comes back from the archive unless it is muted. */
export const writtenIn = (settings: ChatSettings): ChatSettings =>
  settings.archived && !isMuted(settings) ? { ...settings, archived: false } : settings;
