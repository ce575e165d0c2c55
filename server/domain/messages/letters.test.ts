/** Every letter of the service in every language, and the language in which each is sent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue, type Language } from '../../kernel/language/i18n.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';
import { letter_kinds, writeLetter, writeTierNotice, type LetterKind } from './letters.ts';

const spoken: Language[] = ['en', 'de', 'es', 'fr', 'ar'];
const translated = spoken.filter((language) => language !== 'en');
const link = 'https://asterism.test/app/magic?token=abc_DEF-123';
const facts = { code: '123456', link, inviter: 'Ada Łovelace', message: 'Come & see' };

const write = (kind: LetterKind, language: Language) => writeLetter(kind, language, facts);

/** Words that stand alone, of whatever letters. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(link, '')
    .match(/\p{L}{4,}/gu)
    ?.filter((word) => !/Asterism|Łovelace|Come/.test(word)) ?? [];

describe.each(translated)('the letters in %s', (language) => {
  it.each(letter_kinds)('say all of %s, with every value and the link whole', (kind) => {
    const [english, letter] = [write(kind, 'en'), write(kind, language)];
    for (const part of ['subject', 'text'] as const) {
      expect(letter[part].trim()).not.toBe('');
      expect(letter[part]).not.toMatch(/[{}]/);
      for (const value of [facts.code, link, facts.inviter, facts.message])
        expect([value, letter[part].includes(value)]).toEqual([value, english[part].includes(value)]);
    }
    expect([letter.links, letter.code]).toEqual([english.links, english.code]);
    // A line of its own, so that no mark of another direction can become part of it.
    if (english.links) expect(letter.text.split('\n')).toContain(link);
    // What a language writes in the same way as English is no English.
    const left = new Set(wordsOf(english.text));
    expect(
      wordsOf(letter.text).filter((word) => left.has(word) && !['Code', 'code', 'minutes', 'mobile'].includes(word)),
    ).toEqual([]);
  });

  it('begin with its own letters where it is read from right to left, so that readers take its direction', () => {
    if (language !== 'ar') return expect(write('code', language).text).toMatch(/^\p{Script=Latin}/u);
    for (const kind of letter_kinds) expect(write(kind, 'ar').text).toMatch(/^\p{Script=Arabic}/u);
  });

  it('have notices of plans as well', () => {
    for (const tier of ['free', 'plus'] as const)
      expect(writeTierNotice(tier, language)).not.toBe(writeTierNotice(tier, 'en'));
  });
});

describe('the catalogues of letters and pages', () => {
  it.each(translated)('have no message without words in %s', (language) => {
    const words = readCatalogue(language);
    expect(Object.keys(words)).toEqual(Object.keys(readCatalogue('en')));
    expect(Object.keys(words).filter((english) => !words[english]?.trim())).toEqual([]);
  });

  it('find what is said: the object is called i18n wherever its messages stand, as the extractor needs it', () => {
    const server = join(import.meta.dirname, '..', '..');
    const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const speaking = files.filter((path) => readFileSync(join(server, path), 'utf8').includes('language/i18n.ts'));
    expect(speaking.length).toBeGreaterThan(5);
    for (const path of speaking)
      expect([path, /\bspeak\([^()]*\)\.t\(/.test(readFileSync(join(server, path), 'utf8'))]).toEqual([path, false]);
  });
});

describe('a letter', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const newest = async (to: string) => (await world.sent(to))[0]?.subject ?? (await world.sent(to))[0]?.text;
  const inLanguage = (language: string) => ({ 'accept-language': `${language};q=0.9, en;q=0.1` });
  const body = { username: 'gerda', password: 'a warm copper lantern', email: 'gerda@example.org' };

  it('is in the language of the request before there is an account, which then keeps it', async () => {
    const begun = await world.call('POST /auth/register', { body, headers: inLanguage('de') });
    expect(await newest(body.email)).toMatch(/^\d{6} ist dein Asterism-Code$/);
    const { registration_id } = begun.body;
    await world.call('POST /auth/register/resend', { body: { registration_id }, headers: inLanguage('fr') });
    expect(await newest(body.email)).toMatch(/ist dein Asterism-Code$/);
    const code = (await world.sent(body.email))[0]?.code;
    const made = await world.call('POST /auth/register/verify', { body: { registration_id, code } });
    expect(made.body.user.locale).toBe('de');
  });

  it('is in the language of the account afterwards, whatever a request asks for', async () => {
    const { alice } = people;
    await world.call('PATCH /me', { token: alice.token, body: { locale: 'ar-EG' } });
    const { email } = (await world.call('GET /me', { token: alice.token })).body;
    await world.call('POST /auth/magic-link', { body: { email }, headers: inLanguage('fr') });
    expect(await newest(email)).toBe('رابط تسجيل الدخول الخاص بك');
    await world.call('POST /auth/forgot', { body: { identifier: email }, headers: inLanguage('fr') });
    expect(await newest(email)).toBe('إعادة تعيين كلمة المرور');
    await world.call('POST /auth/register', { body: { ...body, email }, headers: inLanguage('fr') });
    expect(await newest(email)).toBe('لديك حساب في Asterism بالفعل');
  });

  it('invites in the language of who is invited, else of who invites', async () => {
    const { alice, bob } = people;
    await world.call('PATCH /me', { token: alice.token, body: { locale: 'es' } });
    await world.call('PATCH /me', { token: bob.token, body: { locale: 'fr' } });
    const { email } = (await world.call('GET /me', { token: bob.token })).body;
    const invite = (to: string) =>
      world.call('POST /invites', { token: alice.token, body: { channel: 'email', to, message: 'Ven' } });
    await invite('nobody-yet@example.org');
    expect(await newest('nobody-yet@example.org')).toMatch(/ te invita a Asterism$/);
    await invite(email);
    expect(await newest(email)).toMatch(/ vous invite sur Asterism$/);
  });

  it('is English where nobody asks for another language', async () => {
    await world.call('POST /auth/register', { body });
    expect(await newest(body.email)).toMatch(/^\d{6} is your Asterism code$/);
  });
});
