import { expect, it } from 'vitest';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('GET /location/config returns a built-in map without external hosts, with a token that expires', slow, async () => {
  const world = await createWorld();
  const { status, body } = await world.call('GET /location/config', { token: findPersonas().alice.token });
  expect([status, body]).toMatchObject([
    200,
    { provider: 'asterism', style_url: 'http://asterism.test/map/style.json', min_report_s: 5 },
  ]);
  const open = (url: string) => world.app.http.inject(url);
  const style = await open(`/map/style.json?token=${body.token}`);
  expect([style.statusCode, style.json().version]).toEqual([200, 8]);
  const tile = style.json().sources.world.tiles[0].replace('http://asterism.test', '');
  const at = (z: number, x: number, y: number) => open(tile.replace('{z}', z).replace('{x}', x).replace('{y}', y));
  const world_tile = await at(0, 0, 0);
  expect([world_tile.statusCode, world_tile.headers['content-type']]).toEqual([
    200,
    'application/vnd.mapbox-vector-tile',
  ]);
  expect(world_tile.rawPayload.length).toBeGreaterThan(1000);
  expect((await at(5, 17, 10)).rawPayload.length).toBeGreaterThan(200);
  for (const [z, x, y] of [
    [8, 0, 0],
    [2, 4, 0],
    [1, 0, 2],
  ] as const)
    expect((await at(z, x, y)).statusCode).toBe(404);
  for (const token of ['', 'zzz', `${body.token}x`]) {
    const refused = await open(`/map/style.json?token=${token}`);
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'forbidden']);
  }
  await world.clock.advance(3601);
  expect((await open(`/map/tiles/0/0/0.mvt?token=${body.token}`)).statusCode).toBe(403);
  await world.close();
});

it('GET /location/config returns the map provider that the operator has configured', async () => {
  const environment = { MAP_STYLE_URL: 'https://tiles.example.org/style.json', MAP_TOKEN: 'pk.1' };
  const world = await createWorld({ environment });
  const { body } = await world.call('GET /location/config', { token: findPersonas().alice.token });
  expect(body).toMatchObject({
    provider: 'tiles.example.org',
    style_url: 'https://tiles.example.org/style.json',
    token: 'pk.1',
    expires_at: null,
  });
  await world.close();
});
