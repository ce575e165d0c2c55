/** What somebody has chosen in pickers of this device: the latest emoji, and the skin tone. */
import type { SkinTone } from 'frimousse';
import { readStored, writeStored } from '../../data/storage/stored-texts.ts';

const RECENT = 'recent emoji';
const TONE = 'skin tone';
/** As many as a row of the picker has. */
const MAX_RECENT = 8;
const TONES: readonly unknown[] = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'];

/** An emoji with its name, in the language in which it was chosen. */
export interface ChosenEmoji {
  readonly emoji: string;
  readonly label: string;
}

function isChosen(one: unknown): one is ChosenEmoji {
  if (typeof one !== 'object' || one === null) return false;
  return 'emoji' in one && typeof one.emoji === 'string' && 'label' in one && typeof one.label === 'string';
}

/** The latest emoji, newest first. */
export function readRecent(user_id: string): ChosenEmoji[] {
  const stored = readStored(user_id, RECENT);
  return Array.isArray(stored) ? stored.filter(isChosen).slice(0, MAX_RECENT) : [];
}

/** Stores an emoji as the latest one. */
export function storeRecent(user_id: string, { emoji, label }: ChosenEmoji): void {
  const others = readRecent(user_id).filter((one) => one.emoji !== emoji);
  writeStored(user_id, RECENT, [{ emoji, label }, ...others].slice(0, MAX_RECENT));
}

/** The skin tone that was last selected. */
export function readTone(user_id: string): SkinTone {
  const stored = readStored(user_id, TONE);
  return TONES.includes(stored) ? (stored as SkinTone) : 'none';
}

export function storeTone(user_id: string, tone: SkinTone): void {
  writeStored(user_id, TONE, tone);
}
