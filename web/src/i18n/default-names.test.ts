/** What the client calls participants without a chosen name. */
import { afterEach, expect, it } from 'vitest';
import { i18n } from './i18n.ts';
import { nameOfGuest, localizeNames, localizeSpeakers } from './default-names.ts';

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

it('localizeNames translates default names into the language of the reader, and leaves chosen names unchanged', () => {
  i18n.loadAndActivate({ locale: 'de', messages: { Guest: 'Gast', Phone: 'Telefon' } });
  const guest = { id: 'gst_1', name: 'Guest' };
  const call = {
    participants: [
      { name: 'Guest', name_is_default: true as const, guest },
      { name: 'Guest', guest },
      { name: 'Phone', name_is_default: true as const, guest: null },
      { name: 'Gran', guest: null },
    ],
  };
  expect(localizeNames(call).participants.map(({ name }) => name)).toEqual(['Gast', 'Guest', 'Telefon', 'Gran']);
  expect(localizeNames(call).participants[0]?.guest?.name).toBe('Gast');
  expect(nameOfGuest({ name: 'Guest', name_is_default: true })).toBe('Gast');
  const chapters = [
    { at_s: 0, name: 'Guest', name_is_default: true as const },
    { at_s: 2, name: 'Guest' },
  ];
  const tracks = [{ name: 'Phone', name_is_default: true as const }, { name: null }];
  const translated = localizeSpeakers({ chapters, tracks });
  expect(translated.chapters.map(({ name }) => name)).toEqual(['Gast', 'Guest']);
  expect(translated.tracks.map(({ name }) => name)).toEqual(['Telefon', null]);
});
