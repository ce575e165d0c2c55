import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /widgets/{widget_id}/chat/{message_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('changes a message of a guest and emits chat.edited; only the author may, for 15 minutes', async () => {
    const { alice } = people;
    const widget = await createWidget(world, alice, 'shop');
    const gina = await becomeGuest(world, widget);
    const edit = (who: { token: string }, { id }: { id: string }, body: string) =>
      world.call(`PATCH /widgets/${widget.id}/chat/${id}`, { token: who.token, body: { body } });
    const question = await sendWidgetMessage(world, widget, gina, 'Open on Sunday');
    const { status, body } = await edit(gina, question, 'Open on Sunday?');
    expect([status, body.body]).toEqual([200, 'Open on Sunday?']);
    expect((await readWidget(world, widget, alice))[0]).toMatchObject({
      body: 'Open on Sunday?',
      edited_at: body.edited_at,
    });
    const event = (await world.events(`user:${alice.id}`)).at(-1);
    expect(event).toMatchObject({ type: 'chat.edited', data: { widget_id: widget.id, guest_id: gina.guest.id } });
    expect((await edit(alice, question, 'Closed')).body.error.code).toBe('forbidden');
    await world.clock.advance(15 * 60 + 1);
    expect((await edit(gina, question, 'Late')).body.error.code).toBe('edit_closed');
  });
});
