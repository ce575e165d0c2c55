/** Every letter of the service in every language, and the choice of its language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue, type Language } from '../../kernel/language/i18n.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { letter_kinds, writeLetter, writeTierNotice, type LetterKind } from './letters.ts';

const language_codes: Language[] = ['en', 'de', 'es', 'fr', 'ar'];
const translated = language_codes.filter((language) => language !== 'en');
const link = 'https://asterism.test/app/magic?token=abc_DEF-123';
const facts = { code: '123456', link, inviter: 'Ada Łovelace', message: 'Come & see' };

const write = (kind: LetterKind, language: Language) => writeLetter(kind, language, facts);

/** The words of a text, in any script, without links and names. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(link, '')
    .match(/\p{L}{4,}/gu)
    ?.filter((word) => !/Asterism|Łovelace|Come/.test(word)) ?? [];

describe.each(translated)('the letters in %s', (language) => {
  it.each(letter_kinds)('translate all of %s, with every value and the unbroken link', (kind) => {
    const [english, letter] = [write(kind, 'en'), write(kind, language)];
    for (const part of ['subject', 'text'] as const) {
      expect(letter[part].trim()).not.toBe('');
      expect(letter[part]).not.toMatch(/[{}]/);
      for (const value of [facts.code, link, facts.inviter, facts.message])
        expect([value, letter[part].includes(value)]).toEqual([value, english[part].includes(value)]);
    }
    expect([letter.links, letter.code]).toEqual([english.links, english.code]);
    // The link is on a separate line, so that no bidirectional mark can become part of it.
    if (english.links) expect(letter.text.split('\n')).toContain(link);
    // Some words are the same as in English.
    const english_words = new Set(wordsOf(english.text));
    expect(
      wordsOf(letter.text).filter(
        (word) => english_words.has(word) && !['Code', 'code', 'minutes', 'mobile'].includes(word),
      ),
    ).toEqual([]);
  });

  it('begin with a character of its script, from which mail clients derive the text direction', () => {
    if (language !== 'ar') return expect(write('code', language).text).toMatch(/^\p{Script=Latin}/u);
    for (const kind of letter_kinds) expect(write(kind, 'ar').text).toMatch(/^\p{Script=Arabic}/u);
  });

  it('have translated notices of plan changes', () => {
    for (const tier of ['free', 'plus'] as const)
      expect(writeTierNotice(tier, language)).not.toBe(writeTierNotice(tier, 'en'));
  });
});

describe('the message catalogues of letters and pages', () => {
  it.each(translated)('have no empty message in %s', (language) => {
    const messages = readCatalogue(language);
    expect(Object.keys(messages)).toEqual(Object.keys(readCatalogue('en')));
    expect(Object.keys(messages).filter((english) => !messages[english]?.trim())).toEqual([]);
  });

  it('are complete: the object is always called i18n, which the extractor requires', () => {
    const server = join(import.meta.dirname, '..', '..');
    const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const files_with_i18n = files.filter((path) =>
      readFileSync(join(server, path), 'utf8').includes('language/i18n.ts'),
    );
    expect(files_with_i18n.length).toBeGreaterThan(5);
    for (const path of files_with_i18n)
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

  it('is in the language of the request before there is an account, which then stores it', async () => {
    const registration = await world.call('POST /auth/register', { body, headers: inLanguage('de') });
    expect(await newest(body.email)).toMatch(/^\d{6} ist dein Asterism-Code$/);
    const { registration_id } = registration.body;
    await world.call('POST /auth/register/resend', { body: { registration_id }, headers: inLanguage('fr') });
    expect(await newest(body.email)).toMatch(/ist dein Asterism-Code$/);
    const code = (await world.sent(body.email))[0]?.code;
    const verified = await world.call('POST /auth/register/verify', { body: { registration_id, code } });
    expect(verified.body.user.locale).toBe('de');
  });

  it('is in the language of the account afterwards, not in that of the request', async () => {
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

  it('is in the language of the invitee for an invite, or else in that of the inviter', async () => {
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

  it('is in English when no other language is requested', async () => {
    await world.call('POST /auth/register', { body });
    expect(await newest(body.email)).toMatch(/^\d{6} is your Asterism code$/);
  });
});
