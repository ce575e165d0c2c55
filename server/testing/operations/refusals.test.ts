/** Error messages in the language that a request accepts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRefusal, translateRefusal } from '../../kernel/language/refusals.ts';
import { readCatalogue, type Language } from '../../kernel/language/i18n.ts';
import { readPreferences } from '../../kernel/language/preferences.ts';
import { languages } from '../../../sdk/languages.ts';
import { collectRefusals } from '../../../tools/refusals/collect-refusals.ts';
import { createWorld, type World } from '../world/world.ts';

const translated = (Object.keys(languages) as Language[]).filter((language) => language !== 'en');

describe('Accept-Language', () => {
  it('is read by weight, without languages of weight 0 and malformed entries', () => {
    expect(readPreferences('fr-CH, fr;q=0.9, en;q=0.8, de;q=0, *;q=0.5')).toEqual(['fr-CH', 'fr', 'en', '*']);
    expect(readPreferences('en;q=0.2,ar;Q=0.7 ,, de ;q=x')).toEqual(['ar', 'en']);
    expect(readPreferences('de,'.repeat(10_000)).length).toBe(20);
  });
});

describe('the catalogues of error messages', () => {
  const refusals = collectRefusals();

  it('contain exactly the messages of the code, the contracts and the error table', () => {
    expect(refusals.length).toBeGreaterThan(300);
    expect(Object.keys(readCatalogue('en', 'refusals')), 'run `npm run messages`').toEqual(refusals);
  });

  it.each(translated)('are complete in %s, with the same values', (language) => {
    const catalogue = readCatalogue(language, 'refusals');
    expect(Object.keys(catalogue)).toEqual(refusals);
    for (const english of refusals) {
      const filled = english.replaceAll(/\{(\w+)\}/g, '7');
      const translation = translateRefusal(filled, language);
      expect(translation.trim(), english).not.toBe('');
      expect(translation, english).not.toBe(filled);
      expect(translation, english).not.toMatch(/[{}]/);
      // A value is either inserted, or selects the text.
      for (const [, name = ''] of english.matchAll(/\{(\w+)\}/g))
        expect(catalogue[english], english).toMatch(new RegExp(String.raw`\{${name}[,}]`));
    }
  });

  it('find a text with values by the most specific pattern', () => {
    expect(findRefusal('is longer than 30 seconds')?.english).toBe('is longer than {max_duration_s} seconds');
    expect(findRefusal('must have at least 3 characters')?.values).toEqual({ limit: '3' });
    expect(findRefusal('what nobody wrote')).toBeUndefined();
    expect(translateRefusal('must have at least 3 characters', 'ar')).toBe('3 أحرف على الأقل.');
    expect(translateRefusal('what nobody wrote', 'de')).toBe('what nobody wrote');
  });
});

describe('an error message', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const register = (headers: Record<string, string>) =>
    world.call('POST /auth/register', { body: { username: 'x', password: 'short' }, headers });

  it('is English without Accept-Language, and for unsupported languages', async () => {
    const plain = await register({});
    expect(plain.body.error.message).toBe('Some fields are not valid.');
    expect(plain.body.error.fields.password).toBe('must have at least 8 characters');
    expect([plain.headers['content-language'], plain.headers['vary']]).toEqual([undefined, undefined]);
    for (const preference of ['*', 'pt-BR', 'en-GB,de;q=0.5', ''])
      expect((await register({ 'accept-language': preference })).body).toEqual(plain.body);
  });

  it.each([
    ['de', 'Mindestens 8 Zeichen.'],
    ['es', 'Mínimo: 8 caracteres.'],
    ['fr', '8 caractères au minimum.'],
    ['ar', '8 أحرف على الأقل.'],
  ])('is in %s where the request accepts it, with the same code and field names', async (language, translation) => {
    const plain = await register({});
    const answer = await register({ 'accept-language': `${language}-XX, en;q=0.5` });
    expect([answer.status, answer.headers['content-language'], answer.headers['vary']]).toEqual([
      422,
      language,
      'Accept-Language',
    ]);
    expect(answer.body.error.code).toBe('validation_failed');
    expect(answer.body.error.fields.password).toBe(translation);
    expect(Object.keys(answer.body.error.fields)).toEqual(Object.keys(plain.body.error.fields));
    expect(answer.body.error.message).not.toBe(plain.body.error.message);
  });

  it('is replayed in the language of each request with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'k-language' };
    await register(headers);
    const again = await register({ ...headers, 'accept-language': 'fr' });
    expect(again.body.error.fields.password).toBe('8 caractères au minimum.');
  });
});
