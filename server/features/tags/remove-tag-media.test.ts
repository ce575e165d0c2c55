import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTag } from '../../testing/steps/follows.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /xtags/{xtag_id}/media/{file_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('removes a file from the tag, by its owner only, and marks the file as unused', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'album');
    const [kept, removed] = [await uploadPicture(world, alice), await uploadPicture(world, alice, 'blue')];
    for (const { id } of [kept, removed])
      await world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body: { file_id: id } });
    const remove = async ({ token }: { token: string }) =>
      (await world.call(`DELETE /xtags/${tag.id}/media/${removed.id}`, { token })).status;
    expect([await remove(bob), await remove(alice), await remove(alice), await remove(bob)]).toEqual([
      403, 204, 404, 404,
    ]);
    const { media } = (await world.call(`GET /xtags/${tag.id}`, { token: bob.token })).body;
    expect(media.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    const { rows } = await world.app.services.db.native.query(
      'select id from files where unused_since is not null and owner_id = $1',
      [alice.id],
    );
    expect(rows).toEqual([{ id: removed.id }]);
  });
});
