import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slow } from '../../../testing/slow-tests.ts';
import { countPortions } from '../../testing/attacks/portions.ts';
import { tryBecomeGuest, becomeGuest, createWidget } from '../../testing/steps/widgets.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /widgets/{widget_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('changes only the given fields; disabling the widget ends guest tokens permanently', slow, async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Staff');
    await joinGroup(world, group, alice, bob);
    const widget = await createWidget(world, alice, 'shop', { group_id: group.id });
    const edit = (token: string, body: object) => world.call(`PATCH /widgets/${widget.id}`, { token, body });
    const edited = await edit(alice.token, { title: 'Hello', theme: { mode: 'light' } });
    expect([edited.status, edited.body.title, edited.body.theme.mode]).toEqual([200, 'Hello', 'light']);
    expect((await edit(bob.token, { title: 'x' })).status).toBe(403);
    expect((await edit(carol.token, { title: 'x' })).status).toBe(404);
    const bad = await edit(alice.token, { allowed_origins: ['http://a.example'] });
    expect([bad.status, Object.keys(bad.body.error.fields)]).toEqual([422, ['allowed_origins.0']]);

    const { token } = await becomeGuest(world, widget);
    const read = () => world.call(`GET /widgets/${widget.id}/chat`, { token });
    expect((await read()).status).toBe(200);
    expect((await edit(alice.token, { enabled: false })).body.enabled).toBe(false);
    expect([(await read()).status, (await read()).body.error.code]).toEqual([401, 'token_invalid']);
    expect((await tryBecomeGuest(world, widget.public_key)).status).toBe(403);
    await edit(alice.token, { enabled: true });
    expect((await read()).status).toBe(401);
    const again = await becomeGuest(world, widget);
    expect((await world.call(`GET /widgets/${widget.id}/chat`, { token: again.token })).status).toBe(200);
    // A follow button has no guests.
    expect((await edit(alice.token, { kind: 'follow' })).body.kind).toBe('follow');
    expect((await world.call(`GET /widgets/${widget.id}/chat`, { token: again.token })).status).toBe(401);
    const freed = await edit(alice.token, { group_id: null });
    expect(freed.body.group_id).toBeNull();
    expect((await edit(bob.token, { title: 'x' })).status).toBe(404);
  });

  it('has no group any more once its group was deleted', async () => {
    const { bob } = people;
    const group = await createGroup(world, bob, 'Crew');
    const widget = await createWidget(world, bob, 'crew', { group_id: group.id });
    expect((await world.call(`DELETE /groups/${group.id}`, { token: bob.token })).status).toBe(204);
    const edited = await world.call(`PATCH /widgets/${widget.id}`, { token: bob.token, body: { title: 'Still here' } });
    expect([edited.status, edited.body.group_id]).toEqual([200, null]);
    const { body } = await world.call('GET /widgets', { token: bob.token });
    expect(body.items.find(({ id }: { id: string }) => id === widget.id)).toMatchObject({ group_id: null });
  });

  it('ends any number of guests of a page that is no longer allowed, at once and in portions', slow, async () => {
    const { carol } = people;
    const origins = ['https://a.example', 'https://b.example'];
    const widget = await createWidget(world, carol, 'busy', { allowed_origins: origins });
    const leaving = await becomeGuest(world, widget, 'Gina', 'https://a.example');
    const staying = await becomeGuest(world, widget, 'Gus', 'https://b.example');
    const db = world.app.services.db.native;
    const multiply = () =>
      db.query(
        `insert into guests select (jsonb_populate_record(g, jsonb_build_object(
           'id', 'gst_' || lpad(i::text, 26, '0'), 'token_hash', 'hash ' || i))).*
         from guests g, generate_series(1, 1200) i where g.id = $1`,
        [leaving.guest.id],
      );
    await multiply();
    const statusOf = async ({ token }: { token: string }) =>
      (await world.call(`GET /widgets/${widget.id}/chat`, { token })).status;
    expect([await statusOf(leaving), await statusOf(staying)]).toEqual([200, 200]);
    const ended = await countPortions(world, 'guests', 'update');
    const edit = { token: carol.token, body: { allowed_origins: origins.slice(1) } };
    expect((await world.call(`PATCH /widgets/${widget.id}`, edit)).status).toBe(200);
    // The one guest whose identifier is the newest belongs to the last portion.
    const { rows } = await db.query('select expires_at > $2 as has_time from guests where id = $1', [
      leaving.guest.id,
      world.clock.now(),
    ]);
    expect(rows).toEqual([{ has_time: true }]);
    expect([await statusOf(leaving), await statusOf(staying)]).toEqual([401, 200]);
    await world.settle();
    expect(await ended()).toEqual({ total: 1201, at_once: 500 });
    const revoked = (await world.events(`user:${leaving.guest.id}`)).map(({ type }) => type);
    expect(revoked).toEqual(['session.revoked']);
    expect(await statusOf(staying)).toBe(200);
  });
});
