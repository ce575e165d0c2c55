import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { createEvent, shareEvent } from '../../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('/e/{token}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** Shares an event by a link. @returns the path of its page */
  const share = async (fields: object): Promise<string> => {
    const { alice } = people;
    const { url } = await shareEvent(world, await createEvent(world, alice, fields), alice, [], true);
    return new URL(String(url)).pathname;
  };
  const get = (url: string, headers: Record<string, string> = {}) => world.app.http.inject({ url, headers });

  it('has texts and a picture for link previews, and escapes all text', async () => {
    const hostile = '"><script>alert(1)</script>&\'';
    const path = await share({ title: `Swim ${hostile}`, location: `Lake ${hostile}`, description: hostile });
    const { body, headers } = await get(path);
    expect(body).not.toContain('<script');
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;';
    expect(body).toContain(`<meta property="og:title" content="Swim ${escaped}">`);
    expect(body).toMatch(/<meta property="og:description" content="[^"]+ · Lake /);
    expect(body).toContain(`<meta property="og:image" content="http://asterism.test${path}/card.png">`);
    expect(body).toContain(`href="${path}.ics"`);
    // Whoever has the link sees the event; a search engine must not be one of them.
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src 'self'; style-src 'sha256-/);
  });

  it.each([
    ['in the language of the browser', { 'accept-language': 'de' }, /<span>Mai<\/span><strong>14<\/strong>/],
    ['on the day in the zone of the event', {}, /<span>May<\/span><strong>14<\/strong>/],
  ])('shows the day %s', async (_what, headers, leaf) => {
    const path = await share({
      title: 'Late swim',
      starts_at: '2031-05-14T23:30:00Z',
      ends_at: '2031-05-15T00:30:00Z',
      timezone: 'America/New_York',
    });
    expect((await get(path, headers)).body).toMatch(leaf);
  });

  it.each([
    ['en-GB,en;q=0.8', /14 May 2031[^<]* 19:30/],
    ['en-US,en;q=0.8', /May 14, 2031[^<]* 7:30/],
    ['en-GB-u-ca-buddhist,en-"><script>,en;q=0.5', /May 14, 2031[^<]* 7:30/],
  ])('writes the time as the region of %s does', async (accepted, when) => {
    const path = await share({
      title: 'Late swim',
      starts_at: '2031-05-14T23:30:00Z',
      ends_at: '2031-05-15T00:30:00Z',
      timezone: 'America/New_York',
    });
    const { statusCode, body } = await get(path, { 'accept-language': accepted });
    expect(statusCode).toBe(200);
    expect(body).toMatch(when);
    expect(body).not.toContain('<script');
  });

  it.each([
    'Morning swim',
    'A title that is so long that it does not fit in three lines of the picture '.repeat(2),
    'سباحة 🏊',
  ])('draws the picture of an event that is called “%s”', slow, async (title) => {
    const { statusCode, headers, rawPayload } = await get(`${await share({ title: title.trim() })}/card.png`);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/png',
      'private, no-cache',
    ]);
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' });
  });

  it('draws no picture for a link that was removed', slow, async () => {
    const { alice } = people;
    const id = await createEvent(world, alice);
    const { url } = await shareEvent(world, id, alice, [], true);
    const path = `${new URL(String(url)).pathname}/card.png`;
    expect((await get(path)).statusCode).toBe(200);
    await shareEvent(world, id, alice, [], false);
    expect((await get(path)).statusCode).toBe(410);
  });
});
