import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inSeconds, reportPosition } from '../../../testing/steps/location.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';

describe('the page of a live location link', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const get = (url: string) =>
    world.app.http.inject({ method: 'GET', url: new URL(url, 'http://asterism.test').pathname });

  it('shows the position, polls the link, and returns 410 after the link has expired', async () => {
    const { alice } = people;
    const { token } = alice;
    const body = { expires_at: inSeconds(world, 3600) };
    const { body: link } = await world.call('POST /location/links', { token, body });
    const waiting = await get(link.url);
    expect([waiting.statusCode, waiting.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(waiting.body).toContain('No location yet.');
    await reportPosition(world, alice);
    const shown = await get(link.url);
    expect(shown.body).toMatch(/class="at">\d+\.\d{5}, -?\d+\.\d{5} \(within 8 m\)/);
    expect(shown.body).toContain('@alice');
    // The policy allows only the script that the page contains.
    const policy = String(shown.headers['content-security-policy']);
    expect(policy).toContain("connect-src 'self'");
    const [, source = ''] = /<script>([\s\S]*)<\/script>/.exec(shown.body) ?? [];
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(source))).toString('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    // The script reads the link from the API.
    expect((await world.call(`GET /public-links/${link.url.split('/').at(-1)}`)).body.latitude).toBeTypeOf('number');
    await advanceSeconds(world, 3600);
    const expired = await get(link.url);
    expect([expired.statusCode, expired.body.includes('no longer shared')]).toEqual([410, true]);
    expect((await get('/l/never-given-out')).statusCode).toBe(410);
    expect((await get('/l/no%20token')).statusCode).toBe(404);
  });

  it('escapes a display name, and allows no script on other pages', async () => {
    const { bob } = people;
    await world.call('PATCH /me', { token: bob.token, body: { display_name: '<b>Bob</b>' } });
    const body = { expires_at: inSeconds(world, 3600) };
    const { body: link } = await world.call('POST /location/links', { token: bob.token, body });
    const shown = await get(link.url);
    expect(shown.body).not.toContain('<b>');
    expect(shown.body).toContain('&lt;b&gt;Bob&lt;/b&gt;');
    expect((await get('/l/never-given-out')).headers['content-security-policy']).not.toContain('script-src');
  });
});
