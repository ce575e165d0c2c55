import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTag } from '../../testing/steps/follows.ts';
import { blobKeys, drawPng, upload, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /xtags/{xtag_id}/media', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const mediaOf = async (tag: { id: string }) =>
    (await world.call(`GET /xtags/${tag.id}`, { token: people.bob.token })).body.media.map(
      ({ id }: { id: string }) => id,
    );

  it('accepts an upload or the id of a file, in the order of adding, each once', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'album');
    const path = `/xtags/${tag.id}/media`;
    const uploaded = await upload(world, alice, await drawPng(5, 5), path);
    expect([uploaded.status, uploaded.body.kind]).toEqual([201, 'image']);
    const file = await uploadPicture(world, alice);
    const addById = () => world.call(`POST ${path}`, { token: alice.token, body: { file_id: file.id } });
    const by_id = await addById();
    expect([by_id.status, by_id.body.id]).toEqual([201, file.id]);
    expect((await addById()).status).toBe(200);
    expect(await mediaOf(tag)).toEqual([uploaded.body.id, file.id]);
  });

  it('maintains count and order for concurrent requests', slow, async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'crowd');
    const files: { id: string }[] = [];
    for (let at = 0; at < 8; at++) files.push(await uploadPicture(world, alice, `rgb(${at}, 9, 9)`));
    const added = await Promise.all(
      files.map(({ id }) => world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body: { file_id: id } })),
    );
    expect(new Set(added.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await mediaOf(tag)).toSorted()).toEqual(files.map(({ id }) => id).toSorted());
    const { rows } = await world.app.services.db.native.query(
      `select media_count, (select array_agg(position order by position) from file_uses where subject_id = tags.id) as places
       from tags where id = $1`,
      [tag.id],
    );
    expect(rows).toEqual([{ media_count: 8, places: [1, 2, 3, 4, 5, 6, 7, 8] }]);
  });

  it('rejects tags and files of other accounts, and stores nothing', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'mine');
    const hidden = await createTag(world, alice, 'hidden', { visibility: 'private' });
    const keys = await blobKeys(world);
    const image = await drawPng(6, 6);
    expect((await upload(world, bob, image, `/xtags/${tag.id}/media`)).status).toBe(403);
    expect((await upload(world, bob, image, `/xtags/${hidden.id}/media`)).status).toBe(404);
    expect(await blobKeys(world)).toEqual(keys);
    const file = await uploadPicture(world, bob);
    const fields = async (body: object) => {
      const answer = await world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body });
      return [answer.status, Object.keys(answer.body.error.fields)];
    };
    for (const body of [{}, { file_id: file.id }, { file_id: `file_${'0'.repeat(26)}` }, { file_id: 'x' }])
      expect(await fields(body)).toEqual([422, ['file_id']]);
    const text = await world.call(`POST /xtags/${tag.id}/media`, {
      token: alice.token,
      raw: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.status).toBe(415);
    expect(await mediaOf(tag)).toEqual([]);
  });

  it('rejects an idempotency key that was used for another tag', async () => {
    const { alice } = people;
    const [first_tag, other_tag] = [await createTag(world, alice, 'one'), await createTag(world, alice, 'other')];
    const { raw, headers } = multipart(await drawPng(3, 3));
    const add = (tag: { id: string }) =>
      world.call(`POST /xtags/${tag.id}/media`, {
        token: alice.token,
        raw,
        headers: { ...headers, 'idempotency-key': 'twice' },
      });
    const first = await add(first_tag);
    expect([first.status, (await add(first_tag)).body.id]).toEqual([201, first.body.id]);
    const second = await add(other_tag);
    expect([second.status, second.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is limited to 50 files', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'full');
    const file = await uploadPicture(world, alice);
    const { db } = world.app.services;
    await db.native.query(
      `with copies as (
         insert into files select 'file_' || lpad(n::text, 26, '0'), owner_id, kind, content_type, 0, main_bytes, width, height,
           duration_s, waveform, blurhash, variants, created_at, null from files, generate_series(1, 50) n where id = $1 returning id)
       insert into file_uses select id, 'tag', $2, 1, now() from copies`,
      [file.id, tag.id],
    );
    await db.native.query('update tags set media_count = 50 where id = $1', [tag.id]);
    const more = await world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body: { file_id: file.id } });
    expect([more.status, more.body.error.code]).toEqual([409, 'limit_reached']);
  });
});
