/** The page of the web client before its script runs, in every language that a browser requests. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directionOf, languages, type Language } from '../../../sdk/languages.ts';
import { i18nOf } from '../../kernel/language/i18n.ts';
import { addClientPage } from './client-page.ts';

const language_codes = Object.keys(languages) as Language[];
const web_dir = join(import.meta.dirname, '..', '..', '..', 'web');
const page = readFileSync(join(web_dir, 'index.html'), 'utf8');
const manifest = readFileSync(join(web_dir, 'public', 'manifest.webmanifest'), 'utf8');

describe('the page of the web client', () => {
  let http: FastifyInstance;
  beforeAll(async () => {
    http = Fastify();
    addClientPage(http, { page, manifest }, { 'content-security-policy': "default-src 'self'" });
    await http.ready();
  });
  afterAll(() => http.close());

  const open = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, rawPayload, headers: response_headers } = await http.inject({ url, headers });
    return { status: statusCode, bytes: rawPayload, headers: response_headers as Record<string, string> };
  };
  const inLanguage = (language: string) => ({ 'accept-language': `${language}-XX,en;q=0.1` });

  it.each(language_codes)(
    'is translated to %s, with the text direction, and varies by Accept-Language',
    async (language) => {
      for (const url of ['/app/', '/app/messages/some']) {
        const { status, bytes, headers } = await open(url, inLanguage(language));
        const text = bytes.toString();
        expect(status).toBe(200);
        expect(text).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
        const noscript_text = i18nOf(language).t('Asterism needs JavaScript for calls and messages.');
        expect(text).toContain(`<noscript>${noscript_text}</noscript>`);
        const description = i18nOf(language).t('Calls and messages with the people you know.');
        expect(text).toContain(`<meta name="description" content="${description}" />`);
        const title = i18nOf(language).t('One name that <em>reaches you</em>.');
        expect(text).toContain(`<h2>${title}</h2>`);
        expect(headers).toMatchObject({
          vary: 'Accept-Language, Accept-Encoding',
          'content-language': language,
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': "default-src 'self'",
          'referrer-policy': 'no-referrer',
        });
      }
      const localized_manifest = JSON.parse(
        (await open('/app/manifest.webmanifest', inLanguage(language))).bytes.toString(),
      );
      expect(localized_manifest).toMatchObject({
        lang: language,
        dir: directionOf(language),
        start_url: '/app/',
        description: i18nOf(language).t('Calls and messages with the people you know.'),
        shortcuts: ['Chats', 'Calls', 'Calendar', 'Search'].map((name) => ({ name: i18nOf(language).t(name) })),
      });
    },
  );

  it('redirects what is shared with it, without reading it, when no service worker has taken it', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=part' };
    const { statusCode, headers: sent } = await http.inject({
      method: 'POST',
      url: '/app/share',
      headers,
      body: 'part',
    });
    expect([statusCode, sent.location, sent.connection]).toEqual([303, '/app/share', 'close']);
  });

  it('has the icons of its manifest, in their sizes, with one that may be cut to any shape', async () => {
    type Icon = { src: string; sizes: string; type: string; purpose?: string };
    const { icons, shortcuts } = JSON.parse(manifest) as { icons: Icon[]; shortcuts: { icons: Icon[] }[] };
    const all = [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons)];
    for (const { src, sizes, type } of all) {
      const { format, width, height } = await sharp(join(web_dir, 'public', basename(src))).metadata();
      expect({ src, type: `image/${format}`.replace('svg', 'svg+xml') }).toEqual({ src, type });
      if (sizes !== 'any') expect({ src, sizes: `${width}x${height}` }).toEqual({ src, sizes });
    }
    const [maskable] = icons.filter(({ purpose }) => purpose === 'maskable');
    const { isOpaque } = await sharp(join(web_dir, 'public', basename(maskable?.src ?? ''))).stats();
    expect(isOpaque).toBe(true);
  });

  it('is in English when no supported language is requested', async () => {
    for (const requested of ['', '*', 'pt-BR'])
      expect((await open('/app/', { 'accept-language': requested })).bytes.toString()).toContain(
        '<html lang="en" dir="ltr">',
      );
  });

  it('is compressed by Accept-Encoding, and returns 304 for a matching ETag', async () => {
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
      const conditional_headers = { 'accept-encoding': accepted, 'if-none-match': etag };
      const again = await open('/app/', { ...inLanguage('ar'), ...conditional_headers });
      expect([again.status, again.bytes.length, again.headers['vary']]).toEqual([304, 0, sent.headers['vary']]);
      expect((await open('/app/', { ...inLanguage('de'), ...conditional_headers })).status).toBe(200);
    }
    expect(tags.size).toBe(encodings.length);
  });

  it('throws when the built page lacks the element to translate', () => {
    const untranslatable = { page: page.replace('<html lang="en">', '<html>'), manifest };
    expect(() => addClientPage(Fastify(), untranslatable, {})).toThrow('<html lang="en">');
  });
});
