import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag, tag_settings } from '../../testing/steps/follows.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, advanceDays, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('PATCH /xtags/{xtag_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('changes each of the settings', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'changed');
    const { body } = await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: tag_settings });
    expect(body).toEqual({ ...tag, ...tag_settings });
  });

  it('changes only the given fields', async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'edited', { title: 'Before', description: 'Stays' });
    const body = { title: 'After', visibility: 'unlisted', follow_policy: 'approval', comments_open: false };
    const edited = await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body });
    expect([edited.status, edited.body]).toEqual([200, { ...tag, ...body }]);
    const empty = await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: {} });
    expect(empty.body).toEqual(edited.body);
  });

  it('renames the tag, keeps its follows, and redirects the old name for 30 days', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'elder');
    await follow(world, tag, bob);
    const rename = (name: string, { token } = alice) => world.call(`PATCH /xtags/${tag.id}`, { token, body: { name } });
    expect((await rename('Younger')).body).toMatchObject({ name: 'younger', follower_count: 1 });
    expect((await itemsOf(world, '/follows', bob))[0].tag.name).toBe('younger');
    const call_response = await world.call('POST /calls', { token: bob.token, body: { to: [{ tag: 'elder' }] } });
    expect(call_response.body.participants.map(({ name }: { name: string }) => name)).toContain('alice');
    const taken = await world.call('POST /xtags', { token: bob.token, body: { name: 'elder' } });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'tag_taken']);
    await advanceDays(world, 30);
    expect((await world.call('POST /xtags', { token: bob.token, body: { name: 'elder' } })).status).toBe(201);
  });

  it('keeps the newest 50 former names of an account reserved', slow, async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'hoard-0');
    for (let at = 1; at <= 51; at++) {
      await advanceSeconds(world, 1);
      const body = { name: `hoard-${at}` };
      expect((await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body })).status).toBe(200);
    }
    const create = async (name: string) =>
      (await world.call('POST /xtags', { token: bob.token, body: { name } })).status;
    expect([await create('hoard-0'), await create('hoard-1'), await create('hoard-50')]).toEqual([201, 409, 409]);
  });

  it('reserves the old name against requests at the moment of the rename', slow, async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'raced-0');
    for (let at = 0; at < 40; at++) {
      const rename = () =>
        world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { name: `raced-${at + 1}` } });
      const grab = () => world.call('POST /xtags', { token: bob.token, body: { name: `raced-${at}` } });
      const [first, second] = at % 2 ? [rename, grab] : [grab, rename];
      const answers = await Promise.all([first(), second()]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  it('allows returning to a former name, but not a name that is taken or reserved', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'there');
    const other = await createTag(world, bob, 'other');
    const rename = (renamed: { id: string }, name: string, token: string) =>
      world.call(`PATCH /xtags/${renamed.id}`, { token, body: { name } });
    await rename(tag, 'here', alice.token);
    for (const name of ['here', 'there'])
      expect((await rename(other, name, bob.token)).body.error.code).toBe('tag_taken');
    expect((await rename(tag, 'there', alice.token)).body.name).toBe('there');
  });

  it('reorders media, and requires all of them', slow, async () => {
    const { alice } = people;
    const tag = await createTag(world, alice, 'album');
    const add = async () => {
      const { id } = await uploadPicture(world, alice);
      await world.call(`POST /xtags/${tag.id}/media`, { token: alice.token, body: { file_id: id } });
      return id as string;
    };
    const [first = '', second = '', third = ''] = [await add(), await add(), await add()];
    const order = async (media: string[]) => {
      const { status, body } = await world.call(`PATCH /xtags/${tag.id}`, { token: alice.token, body: { media } });
      return status === 200 ? body.media.map(({ id }: { id: string }) => id) : Object.keys(body.error.fields);
    };
    expect(await order([third, first, second])).toEqual([third, first, second]);
    const unattached = (await uploadPicture(world, alice)).id;
    for (const wrong of [
      [first, second],
      [first, second, second],
      [first, second, unattached],
      [first, second, third, third],
      [],
    ])
      expect(await order(wrong)).toEqual(['media']);
    // Media added later come last.
    const fourth = await add();
    const { body } = await world.call(`GET /xtags/${tag.id}`, { token: alice.token });
    expect(body.media.map(({ id }: { id: string }) => id)).toEqual([third, first, second, fourth]);
  });

  it('returns 403 to users who can see the tag and 404 to those who cannot', async () => {
    const { alice, bob } = people;
    const open = await createTag(world, alice, 'seen');
    const closed = await createTag(world, alice, 'closed', { visibility: 'private' });
    const edit = (id: string) => world.call(`PATCH /xtags/${id}`, { token: bob.token, body: { title: 'Mine' } });
    expect((await edit(open.id)).body.error.code).toBe('forbidden');
    expect((await edit(closed.id)).body.error.code).toBe('not_found');
  });
});
