/** The pages that the service renders, each in every language that a browser requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directionOf, languages, type Language } from '../../../sdk/languages.ts';
import { i18nOf } from '../../kernel/language/i18n.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { grantPlusPlan, createWidget } from '../../testing/steps/widgets.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { inSeconds, reportPosition } from '../../testing/steps/location.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

const language_codes = Object.keys(languages) as Language[];
const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
const pathOf = (url: string): string => new URL(url, 'http://asterism.test').pathname;

describe('the pages of the service', () => {
  let world: World;
  let people: Personas;
  /** Each page with its path, its status and texts that the catalogues translate. */
  let pages: { path: string; status: number; texts: string[] }[];
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice } = people;
    const { token } = alice;
    await grantPlusPlan(world, alice);
    const { id } = await createTag(world, alice, 'stage');
    await createTag(world, alice, 'quiet');
    await postStatus(world, alice, 'Doors at eight', { tag_id: id });
    const { url: event } = await shareEvent(world, await createEvent(world, alice), alice, [], true);
    const body = { expires_at: inSeconds(world, 3600) };
    const { body: link } = await world.call('POST /location/links', { token, body });
    await reportPosition(world, alice);
    const { public_key } = await createWidget(world, alice, 'shop');
    pages = [
      { path: '/t/stage', status: 200, texts: ['Call, write or follow', 'Bring someone along', 'Latest', 'Get a tag'] },
      { path: '/t/quiet', status: 200, texts: ['No posts yet.', 'QR code of this page', 'Sign in'] },
      { path: '/t/nobody', status: 404, texts: ['Profile not found', 'Open Asterism'] },
      { path: pathOf(event), status: 200, texts: ['Add to your calendar'] },
      { path: '/e/never-given-out', status: 410, texts: ['This event is no longer shared'] },
      { path: pathOf(link.url), status: 200, texts: ['Open in your map', 'See on OpenStreetMap'] },
      { path: '/l/never-given-out', status: 410, texts: ['This location is no longer shared'] },
      { path: '/nope', status: 404, texts: ['Page not found', 'The link may be outdated or mistyped.'] },
      { path: `/w/${public_key}`, status: 200, texts: [] },
      { path: '/w/never-given-out', status: 404, texts: ['This widget no longer exists', 'Not found'] },
    ];
  });
  afterAll(() => world.close());

  const open = async (url: string, language?: string, more: Record<string, string> = {}) => {
    const language_header = language === undefined ? {} : { 'accept-language': language };
    const { statusCode, body, headers } = await world.app.http.inject({
      url,
      headers: { accept: html, ...language_header, ...more },
    });
    return { status: statusCode, body, headers: headers as Record<string, string> };
  };

  it.each(language_codes)(
    'are translated to %s, with the text direction, and vary by Accept-Language',
    async (language) => {
      const i18n = i18nOf(language);
      for (const { path, status, texts } of pages) {
        const page = await open(path, `${language}-XX,en;q=0.1`);
        expect([path, page.status]).toEqual([path, status]);
        expect([path, page.headers['vary']?.split(', ')[0]]).toEqual([path, 'Accept-Language']);
        expect(page.body, path).toMatch(
          new RegExp(`^<!doctype html><html lang="${language}" dir="${directionOf(language)}">`),
        );
        for (const english of texts) {
          expect(page.body, path).toContain(i18n.t(english));
          if (language !== 'en') expect(page.body, path).not.toContain(english);
        }
      }
    },
  );

  it('are in English when no supported language is requested', async () => {
    for (const { path } of pages)
      for (const language of [undefined, '*', 'pt-BR'])
        expect((await open(path, language)).body, path).toMatch(/^<!doctype html><html lang="en" dir="ltr">/);
  });

  it('translate the Open Graph description, and have a separate ETag for each language', async () => {
    const [english, german] = [await open('/t/stage'), await open('/t/stage', 'de')];
    const summaryOf = (body: string) => /<meta property="og:description" content="([^"]*)">/.exec(body)?.[1];
    expect(summaryOf(english.body)).toMatch(/^\*stage by .+ on Asterism$/);
    expect(summaryOf(german.body)).toMatch(/^\*stage von .+ auf Asterism$/);
    expect(german.body).toContain('<meta property="og:locale" content="de_DE">');
    expect(german.headers['etag']).not.toBe(english.headers['etag']);
    const conditional_headers = { 'if-none-match': german.headers['etag'] ?? '' };
    expect([
      (await open('/t/stage', 'de', conditional_headers)).status,
      (await open('/t/stage', 'fr', conditional_headers)).status,
    ]).toEqual([304, 200]);
  });

  it('format dates and numbers by the language', async () => {
    const path = pages[3]?.path ?? '';
    const days = await Promise.all(
      ['en', 'de', 'ar'].map(
        async (language) => /<\/h1><p class="when">([^<]+)</.exec((await open(path, language)).body)?.[1] ?? '',
      ),
    );
    expect(new Set(days).size).toBe(3);
    for (const day of days) expect(day).toMatch(/\d/);
    expect((await open('/t/stage', 'ar')).body).toContain('لا متابعين');
  });

  it('do not translate API responses', async () => {
    const api_response = await world.app.http.inject({ url: '/v1/nope', headers: { accept: html } });
    expect([api_response.json().error.message, api_response.headers['vary']]).toEqual(['Not found.', undefined]);
  });
});
