import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantPlusPlan, createWidget, origin } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('widget pages', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    await grantPlusPlan(world, people.alice);
  });
  afterAll(() => world.close());

  const get = (url: string, headers: Record<string, string> = {}) => world.app.http.inject({ url, headers });
  const preflight = (from?: string) =>
    world.app.http.inject({
      method: 'OPTIONS',
      url: '/v1/widgets/guests',
      headers: { 'access-control-request-method': 'POST', ...(from === undefined ? {} : { origin: from }) },
    });

  it('serve a small embed script that is cached and revalidated by its ETag', async () => {
    const first = await get('/embed.js');
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(first.headers['cache-control']).toContain('max-age=86400');
    expect(gzipSync(first.body).length).toBeLessThan(4096);
    expect(first.body).not.toMatch(/cookie =|localStorage|eval/);
    const again = await get('/embed.js', { 'if-none-match': String(first.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('allow only the allowed origins to embed the frame', async () => {
    const widget = await createWidget(world, people.alice, 'shop', {
      title: `"><script>alert(1)</script>`,
      allowed_origins: [origin, 'http://localhost:3000'],
    });
    const page = await get(`/w/${widget.public_key}`);
    const policy = String(page.headers['content-security-policy']).split('; ');
    expect(policy).toContain(`frame-ancestors ${origin} http://localhost:3000`);
    expect(policy).toContain("script-src 'self'");
    expect(page.headers['x-frame-options']).toBeUndefined();
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.body).not.toContain('<script>alert');
    expect(page.body).toContain('&quot;enabled&quot;:true');
    await world.call(`PATCH /widgets/${widget.id}`, { token: people.alice.token, body: { enabled: false } });
    expect((await get(`/w/${widget.public_key}`)).body).toContain('&quot;enabled&quot;:false');
    await world.call(`DELETE /widgets/${widget.id}`, { token: people.alice.token });
    for (const key of [widget.public_key, 'no-such-key', '%00', 'x'.repeat(101)]) {
      const gone = await get(`/w/${key}`);
      expect([gone.statusCode, gone.headers['content-security-policy']]).toEqual([
        404,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });

  it('serve a preview frame without a widget, which only the service itself may embed', async () => {
    const page = await get('/w/preview');
    expect([page.statusCode, page.body.includes('data-preview'), page.body.includes('data-settings')]).toEqual([
      200,
      true,
      false,
    ]);
    expect(String(page.headers['content-security-policy'])).toMatch(/frame-ancestors 'self'$/);
  });

  it('allow CORS requests for a guest only from the allowed origins', async () => {
    const widget = await createWidget(world, people.alice, 'other');
    const allowed = await preflight(origin);
    expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([204, origin]);
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
    for (const foreign of ['https://evil.example', `${origin}.evil.example`, 'null', undefined])
      expect((await preflight(foreign)).headers['access-control-allow-origin']).toBeUndefined();
    await world.call(`PATCH /widgets/${widget.id}`, { token: people.alice.token, body: { enabled: false } });
    expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined();
  });
});
