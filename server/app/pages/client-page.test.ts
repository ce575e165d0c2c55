/** The page of the web client before its script runs, in every language that a browser asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directionOf, languages, type Language } from '../../../sdk/languages.ts';
import { i18nOf } from '../../kernel/language/i18n.ts';
import { addClientPage } from './client-page.ts';

const spoken = Object.keys(languages) as Language[];
const web_dir = join(import.meta.dirname, '..', '..', '..', 'web');
const page = readFileSync(join(web_dir, 'index.html'), 'utf8');
const manifest = readFileSync(join(web_dir, 'public', 'manifest.webmanifest'), 'utf8');

describe('the page of the client', () => {
  let http: FastifyInstance;
  beforeAll(async () => {
    http = Fastify();
    addClientPage(http, { page, manifest }, { 'content-security-policy': "default-src 'self'" });
    await http.ready();
  });
  afterAll(() => http.close());

  const open = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, rawPayload, headers: told } = await http.inject({ url, headers });
    return { status: statusCode, bytes: rawPayload, headers: told as Record<string, string> };
  };
  const inLanguage = (language: string) => ({ 'accept-language': `${language}-XX,en;q=0.1` });

  it.each(spoken)('says in %s what it says, with its direction, and caches keep it apart', async (language) => {
    for (const url of ['/app/', '/app/messages/some']) {
      const { status, bytes, headers } = await open(url, inLanguage(language));
      const text = bytes.toString();
      expect(status).toBe(200);
      expect(text).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
      const words = i18nOf(language).t('Asterism needs JavaScript for calls and messages.');
      expect(text).toContain(`<noscript>${words}</noscript>`);
      const description = i18nOf(language).t('Calls and messages with the people you know.');
      expect(text).toContain(`<meta name="description" content="${description}" />`);
      expect(headers).toMatchObject({
        vary: 'Accept-Language, Accept-Encoding',
        'content-language': language,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'self'",
        'referrer-policy': 'no-referrer',
      });
    }
    const described = JSON.parse((await open('/app/manifest.webmanifest', inLanguage(language))).bytes.toString());
    expect(described).toMatchObject({
      lang: language,
      dir: directionOf(language),
      start_url: '/app/',
      description: i18nOf(language).t('Calls and messages with the people you know.'),
    });
  });

  it('is English where nothing else is asked for', async () => {
    for (const wanted of ['', '*', 'pt-BR'])
      expect((await open('/app/', { 'accept-language': wanted })).bytes.toString()).toContain(
        '<html lang="en" dir="ltr">',
      );
  });

  it('is sent as small as the browser can read it, and not again where it has it', async () => {
    const plain = await open('/app/', inLanguage('ar'));
    const encodings = [
      ['gzip, deflate, br;q=0.9', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const;
    const tags = new Set<string>();
    for (const [accepted, encoding, decode] of encodings) {
      const sent = await open('/app/', { ...inLanguage('ar'), 'accept-encoding': accepted });
      expect(sent.headers['content-encoding']).toBe(encoding);
      expect(decode(sent.bytes).equals(plain.bytes)).toBe(true);
      const etag = sent.headers['etag'] ?? '';
      tags.add(etag);
      const known = { 'accept-encoding': accepted, 'if-none-match': etag };
      const again = await open('/app/', { ...inLanguage('ar'), ...known });
      expect([again.status, again.bytes.length, again.headers['vary']]).toEqual([304, 0, sent.headers['vary']]);
      expect((await open('/app/', { ...inLanguage('de'), ...known })).status).toBe(200);
    }
    expect(tags.size).toBe(encodings.length);
  });

  it('is refused where the build does not say what is translated', () => {
    const odd = { page: page.replace('<html lang="en">', '<html>'), manifest };
    expect(() => addClientPage(Fastify(), odd, {})).toThrow('<html lang="en">');
  });
});
