import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /widgets/{widget_id}/chat/{message_id}/reaction', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('is allowed to the guest and those who serve the widget; guests do not see reactions of others to a notice', async () => {
    const { alice } = people;
    const widget = await createWidget(world, alice, 'shop');
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const react = (who: { token: string }, { id }: { id: string }, emoji: string | null) =>
      world.call(`PUT /widgets/${widget.id}/chat/${id}/reaction`, { token: who.token, body: { emoji } });
    const question = await sendWidgetMessage(world, widget, gina, 'Open on Sunday?');
    expect((await react(alice, question, '👍')).body.reactions).toEqual([{ emoji: '👍', user_id: alice.id }]);
    expect((await react(hugo, question, '👍')).status).toBe(404);
    const event = (await world.events(`user:${gina.guest.id}`)).at(-1);
    expect(event).toMatchObject({
      type: 'chat.reaction',
      data: { widget_id: widget.id, guest_id: gina.guest.id, message_id: question.id, user_id: alice.id, emoji: '👍' },
    });
    const notice = await sendWidgetMessage(world, widget, alice, 'Closed on Monday');
    await react(gina, notice, '😢');
    await react(hugo, notice, '🎉');
    const reactionsFor = async (who: { token: string }) =>
      (await readWidget(world, widget, who))[0].reactions.map(({ emoji }: { emoji: string }) => emoji);
    expect([await reactionsFor(gina), await reactionsFor(hugo), await reactionsFor(alice)]).toEqual([
      ['😢'],
      ['🎉'],
      ['😢', '🎉'],
    ]);
    const events = (await world.events(`user:${gina.guest.id}`)).filter(({ data }) => data.message_id === notice.id);
    expect(events.map(({ data }) => data.by_guest_id)).toEqual([gina.guest.id]);
    expect((await react(gina, notice, 'no')).status).toBe(422);
  });
});
