import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('DELETE /widgets/{widget_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is allowed to the author and the owner of the widget, and emits chat.deleted to the guest', async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'shop');
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const mine = await sendWidgetMessage(world, widget, gina, 'Mine');
    const other = await sendWidgetMessage(world, widget, gina, 'Remove me');
    const notice = await sendWidgetMessage(world, widget, alice, 'Notice');
    const remove = async (who: { token: string }, { id }: { id: string }) =>
      (await world.call(`DELETE /widgets/${widget.id}/chat/${id}`, { token: who.token })).status;
    expect([await remove(hugo, mine), await remove(bob, mine), await remove(gina, notice)]).toEqual([404, 404, 403]);
    expect([await remove(gina, mine), await remove(gina, mine), await remove(alice, other)]).toEqual([204, 404, 204]);
    const remaining = await readWidget(world, widget, gina);
    expect(remaining.map(({ body }: { body: string }) => body)).toEqual(['Notice', '', '']);
    const event = (await world.events(`user:${gina.guest.id}`)).at(-1);
    expect([event?.type, event?.data.message.id, event?.data.guest_id]).toEqual([
      'chat.deleted',
      other.id,
      gina.guest.id,
    ]);
  });
});
