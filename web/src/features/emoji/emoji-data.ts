/** The emoji and their names in the reader's language, loaded when a picker is first opened. */
import type { Language } from '@asterism/sdk';
import type { EmojiPickerRootProps } from 'frimousse';
import { i18n } from '../../i18n/i18n.ts';
import type { PackedEmoji } from './packed-emoji.ts';

type EmojiData = Awaited<ReturnType<NonNullable<EmojiPickerRootProps['resolveEmojiData']>>>;

const LOADERS: Readonly<Record<Language, () => Promise<{ default: PackedEmoji }>>> = {
  en: () => import('virtual:emoji/en'),
  de: () => import('virtual:emoji/de'),
  es: () => import('virtual:emoji/es'),
  fr: () => import('virtual:emoji/fr'),
  ar: () => import('virtual:emoji/ar'),
};

/** The categories, by their numbers in Emojibase. */
const listCategories = () => [
  { index: 0, label: i18n.t('Smileys') },
  { index: 1, label: i18n.t('People and gestures') },
  { index: 3, label: i18n.t('Animals and nature') },
  { index: 4, label: i18n.t('Food and drink') },
  { index: 5, label: i18n.t('Travel and places') },
  { index: 6, label: i18n.t('Activities') },
  { index: 7, label: i18n.t('Objects') },
  { index: 8, label: i18n.t('Symbols') },
  { index: 9, label: i18n.t('Flags') },
];

/** Windows draws flags of countries as letters, except in Firefox, which has a font of its own. */
const hasCountryFlags = (): boolean =>
  !navigator.userAgent.includes('Windows') || navigator.userAgent.includes('Firefox');

const isCountryFlag = (emoji: string): boolean => /^\p{RI}{2}$/u.test(emoji);

function byTone([light = '', medium_light = '', medium = '', medium_dark = '', dark = '']: readonly string[]) {
  return { light, 'medium-light': medium_light, medium, 'medium-dark': medium_dark, dark };
}

/** The data of a picker in a language of the client. */
export async function loadEmoji(language: string): Promise<EmojiData> {
  const { tones, emoji } = (await LOADERS[language as Language]()).default;
  const shown = hasCountryFlags() ? emoji : emoji.filter(([text]) => !isCountryFlag(text));
  return {
    locale: language,
    categories: listCategories(),
    skinTones: byTone(tones),
    emojis: shown.map(([text, category, label, tags, skins]) => ({
      emoji: text,
      category,
      label,
      tags,
      version: 0,
      ...(skins === undefined ? {} : { skins: byTone(skins) }),
    })),
  };
}
