import type { Thread } from '@asterism/sdk';

/** The reader's own settings of a chat. */
export type ChatSettings = Thread['settings'];

/** The end of a mute without an end. */
const FOR_EVER = '9999-12-31T23:59:59Z';
const HOUR_MS = 3_600_000;

/** Whether a chat is muted now. */
export const isMuted = ({ muted_until }: ChatSettings): boolean =>
  muted_until !== null && Date.parse(muted_until) > Date.now();

/** The end of a mute of some hours that starts now, in whole seconds. */
export const mutedFor = (hours: number): string =>
  hours === Infinity ? FOR_EVER : new Date(Date.now() + hours * HOUR_MS).toISOString().replace(/\.\d+Z$/, 'Z');

/** The settings of a chat after a new message: it is unarchived unless it is muted. */
export const settingsAfterMessage = (settings: ChatSettings): ChatSettings =>
  settings.archived && !isMuted(settings) ? { ...settings, archived: false } : settings;
