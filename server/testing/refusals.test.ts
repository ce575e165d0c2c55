/** Refusals in the language that a request asks for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRefusal, translateRefusal } from '../kernel/language/refusals.ts';
import { readCatalogue, type Language } from '../kernel/language/i18n.ts';
import { readPreferences } from '../kernel/http/preferences.ts';
import { languages } from '../../sdk/languages.ts';
import { collectRefusals } from '../../tools/refusals/collect-refusals.ts';
import { createWorld, type World } from './world.ts';

const translated = (Object.keys(languages) as Language[]).filter((language) => language !== 'en');

describe('the header of languages', () => {
  it('is read by weight, and what is not wanted is left out', () => {
    expect(readPreferences('fr-CH, fr;q=0.9, en;q=0.8, de;q=0, *;q=0.5')).toEqual(['fr-CH', 'fr', 'en', '*']);
    expect(readPreferences('en;q=0.2,ar;Q=0.7 ,, de ;q=x')).toEqual(['ar', 'en']);
    expect(readPreferences('de,'.repeat(10_000)).length).toBe(20);
  });
});

describe('the catalogues of refusals', () => {
  const refusals = collectRefusals();

  it('hold what the code, the contracts and the table of codes say, and nothing else', () => {
    expect(refusals.length).toBeGreaterThan(300);
    expect(Object.keys(readCatalogue('en', 'refusals')), 'run `npm run messages`').toEqual(refusals);
  });

  it.each(translated)('say all of it in %s, with the same values', (language) => {
    const words = readCatalogue(language, 'refusals');
    expect(Object.keys(words)).toEqual(refusals);
    for (const english of refusals) {
      const filled = english.replaceAll(/\{(\w+)\}/g, '7');
      const said = translateRefusal(filled, language);
      expect(said.trim(), english).not.toBe('');
      expect(said, english).not.toBe(filled);
      expect(said, english).not.toMatch(/[{}]/);
      // A value is either said, or chooses the words.
      for (const [, name = ''] of english.matchAll(/\{(\w+)\}/g))
        expect(words[english], english).toMatch(new RegExp(String.raw`\{${name}[,}]`));
    }
  });

  it('find a text with values, by the most exact pattern', () => {
    expect(findRefusal('is longer than 30 seconds')?.english).toBe('is longer than {max_duration_s} seconds');
    expect(findRefusal('must not have fewer than 3 characters')?.values).toEqual({ limit: '3' });
    expect(findRefusal('what nobody wrote')).toBeUndefined();
    expect(translateRefusal('must not have fewer than 3 characters', 'ar')).toBe('3 أحرف على الأقل.');
    expect(translateRefusal('what nobody wrote', 'de')).toBe('what nobody wrote');
  });
});

describe('a refusal', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const register = (headers: Record<string, string>) =>
    world.call('POST /auth/register', { body: { username: 'x', password: 'short' }, headers });

  it('is English without the header, and for languages that are not spoken here', async () => {
    const plain = await register({});
    expect(plain.body.error.message).toBe('Some fields are not valid.');
    expect(plain.body.error.fields.password).toBe('must not have fewer than 8 characters');
    expect([plain.headers['content-language'], plain.headers['vary']]).toEqual([undefined, undefined]);
    for (const wanted of ['*', 'pt-BR', 'en-GB,de;q=0.5', ''])
      expect((await register({ 'accept-language': wanted })).body).toEqual(plain.body);
  });

  it.each([
    ['de', 'Mindestens 8 Zeichen.'],
    ['es', 'Mínimo: 8 caracteres.'],
    ['fr', '8 caractères au minimum.'],
    ['ar', '8 أحرف على الأقل.'],
  ])('is in %s where that is asked for, with the same code and names', async (language, said) => {
    const plain = await register({});
    const answer = await register({ 'accept-language': `${language}-XX, en;q=0.5` });
    expect([answer.status, answer.headers['content-language'], answer.headers['vary']]).toEqual([
      422,
      language,
      'Accept-Language',
    ]);
    expect(answer.body.error.code).toBe('validation_failed');
    expect(answer.body.error.fields.password).toBe(said);
    expect(Object.keys(answer.body.error.fields)).toEqual(Object.keys(plain.body.error.fields));
    expect(answer.body.error.message).not.toBe(plain.body.error.message);
  });

  it('is repeated by its key in the language of each request', async () => {
    const headers = { 'idempotency-key': 'k-language' };
    await register(headers);
    const again = await register({ ...headers, 'accept-language': 'fr' });
    expect(again.body.error.fields.password).toBe('8 caractères au minimum.');
  });
});
