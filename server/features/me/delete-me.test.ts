import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { findPersonas, password, register, type Persona, type Personas } from '../../testing/world/personas.ts';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { listedTexts, postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('DELETE /me', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const remove = ({ token }: Persona, typed_password = password) =>
    world.call('DELETE /me', { token, body: { password: typed_password } });

  it('requires the password', async () => {
    const { status, body } = await remove(people.alice, 'not my password');
    expect([status, Object.keys(body.error.fields)]).toEqual([422, ['password']]);
    expect((await world.call('GET /me', { token: people.alice.token })).status).toBe(200);
  });

  it('ends calls and sessions, and frees username, e-mail address and number', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    expect((await remove(alice)).status).toBe(204);
    expect((await world.call('GET /me', { token: alice.token })).status).toBe(401);
    const ended = (await world.events(`user:${bob.id}`)).findLast(({ type }) => type === 'call.ended');
    expect(ended?.data.call).toMatchObject({
      conference_id: call.conference_id,
      state: 'ended',
      end_reason: 'host_gone',
    });
    const login = await world.call('POST /auth/login', { body: { username: 'alice', password } });
    expect([login.status, login.body.error.code]).toEqual([401, 'invalid_credentials']);
    const again = await register(world, 'alice', 1);
    expect(again.id).not.toBe(alice.id);
    expect((await world.call('GET /me', { token: again.token })).body.mobile_verified).toBe(true);
  });

  it('shows messages that others received as from "deleted user"', async () => {
    const { bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, carol, [bob]);
    await requestGrants(world, join_code, bob);
    await connectMedia(world, conference_id, bob);
    await world.call(`POST /calls/${join_code}/chat`, { token: carol.token, body: { body: 'Are you there?' } });
    await remove(carol);
    const { body } = await world.call(`GET /calls/${join_code}/chat`, { token: bob.token });
    expect(body.items[0]).toMatchObject({ body: 'Are you there?', author: { user: { display_name: 'deleted user' } } });
    const call = (await world.call(`GET /calls/${join_code}`, { token: bob.token })).body;
    expect(JSON.stringify(call)).not.toContain('carol');
    expect(JSON.stringify(body)).not.toContain('carol');
  });

  it('deletes the avatar and the tags', async () => {
    const { bob } = people;
    const red = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    const image = multipart(await red.png().toBuffer());
    const { avatar_url } = (await world.call('POST /me/avatar', { token: bob.token, ...image })).body;
    const path = new URL(avatar_url).pathname.replace('/v1', '');
    await world.call('POST /xtags', { token: bob.token, body: { name: 'bobs-tag' } });
    await remove(bob);
    await world.settle();
    expect((await world.call(`GET ${path}`)).status).toBe(404);
    const remaining = await world.app.services.db.native.query('select 1 from tags where deleted_at is null');
    expect(remaining.rowCount).toBe(0);
  });

  it('deletes statuses, replies, follows and notifications, which are hidden before that is done', slow, async () => {
    const [dave, erin] = [await register(world, 'dave', 60), await register(world, 'erin', 61)];
    const tag = await createTag(world, dave, 'daves');
    const hers = await createTag(world, erin, 'erins');
    await follow(world, tag, erin);
    await follow(world, hers, dave);
    await postStatus(world, dave, 'to the tag', { tag_id: tag.id });
    await postStatus(world, dave, 'to all');
    const status = await postStatus(world, erin, 'from erin', { tag_id: hers.id });
    await replyTo(world, status, dave, 'a reply');
    await remove(dave);
    const expectHidden = async () => {
      expect(await listedTexts(world, '/feed', erin)).toEqual(['from erin']);
      expect(await listedTexts(world, `/statuses/${status.id}/replies`, erin)).toEqual([]);
      expect(await itemsOf(world, '/follows', erin)).toEqual([]);
      expect(await itemsOf(world, '/followers', erin)).toEqual([]);
    };
    await expectHidden();
    await world.settle();
    await expectHidden();
    expect(await itemsOf(world, '/notifications', erin)).toEqual([]);
    expect((await world.call(`GET /xtags/${hers.id}`, { token: erin.token })).body.follower_count).toBe(0);
    for (const [table, column] of [
      ['statuses', 'author_id'],
      ['replies', 'author_id'],
      ['follows', 'follower_id'],
      ['follows', 'owner_id'],
    ]) {
      const { rowCount } = await world.app.services.db.native.query(`select 1 from ${table} where ${column} = $1`, [
        dave.id,
      ]);
      expect([table, column, rowCount]).toEqual([table, column, 0]);
    }
  });

  it.each([
    ['tags', '/xtags', { name: 'too-late' }],
    ['groups', '/groups', { name: 'Too late' }],
    ['im_identities', '/me/im-identities', { network: 'matrix', handle: '@late:example.org' }],
    ['scheduled_jobs', '/scheduled-jobs', { kind: 'reminder', body: 'Too late', run_at: '' }],
  ])('leaves no %s that were being created meanwhile', async (table, path, body) => {
    const gil = await register(world, 'gil', 63);
    const { db } = world.app.services;
    const other = await db.native.connect();
    try {
      // Both wait for the row of the account, the deletion first.
      await other.query('begin');
      await other.query('select 1 from users where id = $1 for update', [gil.id]);
      const removed = remove(gil);
      await waitForLocks(world, 1);
      const run_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
      const created = world.call(`POST ${path}`, {
        token: gil.token,
        body: { ...body, ...('run_at' in body ? { run_at } : {}) },
      });
      await waitForLocks(world, 2);
      await other.query('commit');
      expect((await removed).status).toBe(204);
      const { status, body: answer } = await created;
      expect([status, answer.error?.code]).toEqual([401, 'token_invalid']);
    } finally {
      other.release();
    }
    await world.settle();
    const owner = ['tags', 'groups'].includes(table) ? 'owner_id' : 'user_id';
    expect((await db.native.query(`select 1 from ${table} where ${owner} = $1`, [gil.id])).rowCount).toBe(0);
  });

  it('deletes all notifications, however many', async () => {
    const fay = await register(world, 'fay', 62);
    const { native } = world.app.services.db;
    await native.query(
      `insert into notifications (id, user_id, kind, subject_type, subject_id, created_at, read_at)
       select 'note_' || lpad(n::text, 26, '0'), $1, 'follow', 'tag', 'tag_x', now(), now() from generate_series(1, 1200) n`,
      [fay.id],
    );
    await remove(fay);
    await world.settle();
    expect((await native.query('select 1 from notifications where user_id = $1', [fay.id])).rowCount).toBe(0);
  });
});
