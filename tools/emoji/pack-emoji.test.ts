/** The emoji of the web client's picker in each of its languages. */
import { expect, it } from 'vitest';
import { languages, type Language } from '../../sdk/languages.ts';
import { slow } from '../../testing/slow-tests.ts';
import { packEmoji } from '../../web/emoji/pack-emoji.ts';
import { requireEmoji } from '../../server/domain/chat/reactions-and-edits.ts';

const all = Object.keys(languages) as Language[];

it('offers only emoji that the service accepts as reactions, in every skin tone', () => {
  const { emoji } = packEmoji('en');
  expect(emoji.length).toBeGreaterThan(1_700);
  for (const [one, , , , tones = []] of emoji) for (const each of [one, ...tones]) requireEmoji(each);
  expect(emoji.find(([one]) => one === '👍')?.[4]).toEqual(['👍🏻', '👍🏼', '👍🏽', '👍🏾', '👍🏿']);
});

it('has the same emoji in every language, with names', slow, () => {
  const english = packEmoji('en').emoji.map(([emoji]) => emoji);
  for (const language of all) {
    const { emoji, tones } = packEmoji(language);
    expect(emoji.map(([one]) => one)).toEqual(english);
    expect(tones.filter((name) => name !== '')).toHaveLength(5);
    expect(emoji.filter(([, , name]) => name === '')).toEqual([]);
  }
});

it('names them in the language', () => {
  const nameIn = (language: Language, wanted: string) => packEmoji(language).emoji.find(([one]) => one === wanted)?.[2];
  expect(all.map((language) => nameIn(language, '🐈'))).toEqual(['Cat', 'Katze', 'Gato', 'Chat', 'قطة']);
  expect(nameIn('ar', '🇫🇷')).toContain('فرنسا');
  // An emoji of several people and signs, whose Arabic name is in another file of Unicode.
  expect(nameIn('ar', '👩‍🚀')).not.toBe(nameIn('en', '👩‍🚀'));
});
