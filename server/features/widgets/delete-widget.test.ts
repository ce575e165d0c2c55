import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryBecomeGuest, becomeGuest, createWidget } from '../../testing/steps/widgets.ts';
import { findPersonas, password, register, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /widgets/{widget_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const remainingRows = async (id: string) => {
    const { rows } = await world.app.services.db.native.query(
      `select (select count(*)::int from widgets where id = $1) as widgets,
              (select count(*)::int from guests where widget_id = $1) as guests,
              (select count(*)::int from chat_messages where widget_id = $1) as messages`,
      [id],
    );
    return rows[0];
  };

  it('deletes the widget with its guests and messages, and ends their sessions', async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'shop');
    const { token } = await becomeGuest(world, widget);
    await world.call(`POST /widgets/${widget.id}/chat`, { token, body: { body: 'Hello' } });
    const remove = (who: string) => world.call(`DELETE /widgets/${widget.id}`, { token: who });
    const outsider_response = await remove(bob.token);
    const absent = await world.call(`DELETE /widgets/wid_${'0'.repeat(26)}`, { token: bob.token });
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
    expect((await remove(alice.token)).status).toBe(204);
    expect((await remove(alice.token)).status).toBe(404);
    expect((await world.call(`GET /widgets/${widget.id}/chat`, { token })).status).toBe(401);
    const guest_response = await tryBecomeGuest(world, widget.public_key);
    expect([guest_response.status, Object.keys(guest_response.body.error.fields)]).toEqual([422, ['public_key']]);
    const ended = (await world.events(`session:${widget.id}`)).at(-1);
    expect(ended).toEqual({ type: 'session.revoked', data: { session_id: widget.id } });
    await world.settle();
    expect(await remainingRows(widget.id)).toEqual({ widgets: 0, guests: 0, messages: 0 });
    expect((await world.call('GET /billing/entitlements', { token: alice.token })).body.used.widgets).toBe(0);
  });

  it('happens when the tag or the account is deleted', async () => {
    const dana = await register(world, 'dana', 61);
    const first = await createWidget(world, dana, 'going');
    const guest = await becomeGuest(world, first);
    const { body: tags } = await world.call('GET /xtags', { token: dana.token });
    expect((await world.call(`DELETE /xtags/${tags.items[0].id}`, { token: dana.token })).status).toBe(204);
    expect((await world.call(`GET /widgets/${first.id}/chat`, { token: guest.token })).status).toBe(401);
    const second = await createWidget(world, dana, 'gone');
    const other = await becomeGuest(world, second);
    expect((await world.call('DELETE /me', { token: dana.token, body: { password } })).status).toBe(204);
    expect((await world.call(`GET /widgets/${second.id}/chat`, { token: other.token })).status).toBe(401);
    await world.settle();
    for (const { id } of [first, second])
      expect(await remainingRows(id)).toEqual({ widgets: 0, guests: 0, messages: 0 });
  });
});
