import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTag } from '../../testing/following.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('/t/{xtag}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const open = async (name: string, headers: Record<string, string> = {}) => {
    const { statusCode: status, body, headers: answered } = await world.app.http.inject({ url: `/t/${name}`, headers });
    return { status, body, headers: answered as Record<string, string> };
  };

  it('tells what link previews ask for, with everything escaped and nothing to run', async () => {
    const { alice } = people;
    const hostile = '"><script>alert(1)</script>&\'';
    await makeTag(world, alice, 'preview', { title: hostile, description: `About ${hostile}` });
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
    const again = await open('preview', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('keeps an unlisted tag out of search engines, and a private one like an absent one', async () => {
    const { alice } = people;
    await makeTag(world, alice, 'aside', { visibility: 'unlisted' });
    await makeTag(world, alice, 'inner', { visibility: 'private' });
    expect((await open('aside')).body).toContain('<meta name="robots" content="noindex">');
    const [hidden, absent, odd] = [await open('inner'), await open('nothing-here'), await open('*aside')];
    for (const one of [hidden, odd])
      expect([one.status, one.body, one.headers['cache-control']]).toEqual([404, absent.body, 'no-store']);
  });

  it('leads from an old name to the new one', async () => {
    const { alice } = people;
    const tag = await makeTag(world, alice, 'former');
    await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: 'present' } });
    const { status, headers } = await open('former');
    expect([status, headers['location']]).toEqual([301, '/t/present']);
  });
});
