import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { startCall } from '../../testing/steps/calls.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('/t/{xtag}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const open = async (name: string, headers: Record<string, string> = {}) => {
    const {
      statusCode: status,
      body,
      headers: response_headers,
    } = await world.app.http.inject({ url: `/t/${name}`, headers });
    return { status, body, headers: response_headers as Record<string, string> };
  };

  const getCard = (name: string) => world.app.http.inject({ url: `/t/${name}/card.png` });

  it('has Open Graph metadata for link previews, escapes all text and contains no script', async () => {
    const { alice } = people;
    const hostile = '"><script>alert(1)</script>&\'';
    await createTag(world, alice, 'preview', { title: hostile, description: `About ${hostile}` });
    const { status, body, headers } = await open('Preview');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toContain('<script');
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;';
    expect(body).toContain(`<meta property="og:title" content="${escaped} (*preview)">`);
    expect(body).toContain(`<meta name="twitter:description" content="About ${escaped}">`);
    expect(body).toContain('<meta property="og:url" content="http://asterism.test/t/preview">');
    expect(body).toContain('<a href="/app/t/preview">');
    expect(body).not.toContain('noindex');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; img-src 'self'; style-src 'sha256-[^']+';/,
    );
    expect(body).toContain('<meta property="og:image" content="http://asterism.test/t/preview/card.png">');
    const again = await open('preview', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('is compressed as the client accepts it', async () => {
    await createTag(world, people.alice, 'packed');
    const { body: plain } = await open('packed');
    for (const [accepted, decompress] of [
      ['gzip, br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const sent = await world.app.http.inject({ url: '/t/packed', headers: { 'accept-encoding': accepted } });
      expect(sent.headers['vary']).toBe('Accept-Language, Accept-Encoding');
      expect(decompress(sent.rawPayload).toString()).toBe(plain);
      expect(sent.rawPayload.length).toBeLessThan(plain.length / 2);
    }
  });

  it('marks an unlisted tag as noindex, and returns the same 404 for a private tag as for an unknown one', async () => {
    const { alice } = people;
    await createTag(world, alice, 'aside', { visibility: 'unlisted' });
    await createTag(world, alice, 'inner', { visibility: 'private' });
    expect((await open('aside')).body).toContain('<meta name="robots" content="noindex">');
    const [hidden, absent, starred] = [await open('inner'), await open('nothing-here'), await open('*aside')];
    for (const response of [hidden, starred])
      expect([response.status, response.body, response.headers['cache-control']]).toEqual([
        404,
        absent.body,
        'no-store',
      ]);
  });

  it('is allowed by robots.txt, unlike addresses that contain a secret', async () => {
    const { statusCode, headers, body } = await world.app.http.inject({ url: '/robots.txt' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const closed = body.split('\n').flatMap((line) => /^Disallow: (.+)$/.exec(line)?.[1] ?? []);
    const isOpen = (path: string) => !closed.some((start) => path.startsWith(start));
    expect(['/t/jazz', '/', '/app/'].every(isOpen)).toBe(true);
    expect(['/j/abc-defg-hij', '/i/token', '/l/token', '/v1/me'].some(isOpen)).toBe(false);
  });

  it('has a card image, unless the tag is private or unknown', slow, async () => {
    const { alice } = people;
    await createTag(world, alice, 'preview');
    await createTag(world, alice, 'aside', { visibility: 'unlisted' });
    await createTag(world, alice, 'inner', { visibility: 'private' });
    const [card, other] = [await getCard('preview'), await getCard('aside')];
    expect(card.headers['content-type']).toBe('image/png');
    const { width, height, format } = await sharp(card.rawPayload).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    expect(card.rawPayload.length).toBeLessThan(150_000);
    expect(card.rawPayload.equals(other.rawPayload)).toBe(false);
    expect(card.rawPayload.equals((await getCard('Preview')).rawPayload)).toBe(true);
    for (const name of ['inner', 'nothing-here', '*aside'])
      expect([name, (await getCard(name)).statusCode]).toEqual([name, 404]);
  });

  it('draws few cards at once, and those of one address in turn with those of others', slow, async () => {
    const names = Array.from({ length: 20 }, (_, at) => `card_${at}`);
    const owners = [people.alice, people.bob, people.carol];
    for (const [at, name] of names.entries()) await createTag(world, owners[at % 3] ?? people.alice, name);
    const get = (name: string, remoteAddress: string) =>
      world.app.http.inject({ url: `/t/${name}/card.png`, remoteAddress }).then(({ statusCode }) => statusCode);
    const [other = '', ...many] = names;
    const drawn = many.map((name) => get(name, '10.9.9.1'));
    expect(await get(other, '10.9.9.2')).toBe(200);
    expect(new Set(await Promise.all(drawn))).toEqual(new Set([200]));
  });

  it('shows public statuses and the public call of the tag, with text escaped', async () => {
    const { alice } = people;
    const { id } = await createTag(world, alice, 'open_stage');
    await postStatus(world, alice, 'Doors at <b>eight</b>', { tag_id: id });
    await postStatus(world, alice, 'For followers alone', { tag_id: id, visibility: 'followers' });
    const { body } = await open('open_stage');
    expect(body).toContain('Doors at &lt;b&gt;eight&lt;/b&gt;');
    expect(body).not.toContain('For followers alone');
    expect(body).not.toContain('talking');
    const call = await startCall(world, alice, [people.bob], { privacy: 'public' });
    expect((await open('open_stage')).body).toContain(`<a class="live" href="/j/${call.join_code}">Live · `);
  });

  it('returns 404 for unknown addresses, as a page for browsers and as JSON for apps', async () => {
    const getUrl = (url: string, accept: string) => world.app.http.inject({ url, headers: { accept } });
    const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const url of ['/nope', '/j/never', '/t/preview/more']) {
      const [page, json] = [await getUrl(url, html), await getUrl(url, '*/*')];
      expect([url, page.statusCode, page.headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('<h1>Page not found</h1>');
      expect([url, json.statusCode, json.json().error.code]).toEqual([url, 404, 'not_found']);
    }
    expect((await getUrl('/v1/nope', html)).json().error.code).toBe('not_found');
  });

  it('redirects from the old name of a tag to the new one', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'former');
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: 'present' } });
    const { status, headers } = await open('former');
    expect([status, headers['location']]).toEqual([301, '/t/present']);
  });
});
