/** What the client calls those who chose no name. */
import { afterEach, expect, it } from 'vitest';
import { i18n } from '../../web/src/i18n/i18n.ts';
import { nameOfGuest, sayNames, sayNamesIn } from '../../web/src/i18n/default-names.ts';

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

it('says names that nobody chose in the language of the reader, and leaves those that somebody did', () => {
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
  expect(sayNames(call).participants.map(({ name }) => name)).toEqual(['Gast', 'Guest', 'Telefon', 'Gran']);
  expect(sayNames(call).participants[0]?.guest?.name).toBe('Gast');
  expect(nameOfGuest({ name: 'Guest', name_is_default: true })).toBe('Gast');
  const chapters = [
    { at_s: 0, name: 'Guest', name_is_default: true as const },
    { at_s: 2, name: 'Guest' },
  ];
  const tracks = [{ name: 'Phone', name_is_default: true as const }, { name: null }];
  const said = sayNamesIn({ chapters, tracks });
  expect(said.chapters.map(({ name }) => name)).toEqual(['Gast', 'Guest']);
  expect(said.tracks.map(({ name }) => name)).toEqual(['Telefon', null]);
});
