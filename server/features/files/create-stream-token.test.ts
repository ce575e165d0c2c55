import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { fetchSigned, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /files/{file_id}/stream-token', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const requestToken = (file: { id: string }, { token }: { token: string }) =>
    world.call(`POST /files/${file.id}/stream-token`, { token, body: {} });

  it('returns a separate URL for each viewer, valid for ten minutes', slow, async () => {
    const { alice, bob } = people;
    const file = await uploadPicture(world, alice);
    expect((await requestToken(file, bob)).status).toBe(404);
    await postStatus(world, alice, 'Look', { media: [file.id] });
    const addresses = await Promise.all([requestToken(file, alice), requestToken(file, bob)]);
    const urls = addresses.map(({ status, body }) => {
      expect([status, Object.keys(body).toSorted()]).toEqual([200, ['stream_expires_at', 'stream_url']]);
      const left_s = (Date.parse(body.stream_expires_at) - world.clock.now().getTime()) / 1000;
      expect(left_s).toBeGreaterThan(530);
      expect(left_s).toBeLessThanOrEqual(600);
      return body.stream_url;
    });
    expect(urls[0]).not.toBe(urls[1]);
    for (const url of urls) expect((await fetchSigned(world, url)).status).toBe(200);
    await world.clock.advance(601);
    for (const url of urls) expect((await fetchSigned(world, url)).status).toBe(401);
    expect((await fetchSigned(world, (await requestToken(file, bob)).body.stream_url)).status).toBe(200);
  });

  it('respects followers, private tags and blocks of the objects that the file is attached to', slow, async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'inner', { visibility: 'private' });
    const for_followers = await uploadPicture(world, alice, 'green');
    await postStatus(world, alice, 'Ours', { media: [for_followers.id], visibility: 'followers' });
    const of_tag = await uploadPicture(world, alice, 'pink');
    await world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body: { file_id: of_tag.id } });
    const statuses = async () => {
      const found = [];
      for (const file of [for_followers, of_tag])
        for (const who of [alice, bob, carol]) found.push((await requestToken(file, who)).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 404, 404, 200, 404, 404]);
    const open_tag = await createTag(world, alice, 'outer');
    await follow(world, open_tag, bob);
    expect(await statuses()).toEqual([200, 200, 404, 200, 404, 404]);
    const { stream_url } = (await requestToken(for_followers, bob)).body;
    expect((await fetchSigned(world, stream_url)).status).toBe(200);
    await block(world, alice, bob);
    expect(await statuses()).toEqual([200, 404, 404, 200, 404, 404]);
    // A URL that was signed before is no longer valid without the permission.
    expect((await fetchSigned(world, stream_url)).status).toBe(404);
  });
});
