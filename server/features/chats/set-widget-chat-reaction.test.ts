import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/embedding.ts';
import { findPersonas, type Personas } from '../../testing/personas.ts';
import { restoreBeforeEach } from '../../testing/restore-world.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('PUT /widgets/{widget_id}/chat/{message_id}/reaction', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('is for a guest and those who serve the widget, and on a notice for each guest apart', async () => {
    const { alice } = people;
    const widget = await createWidget(world, alice, 'shop');
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const react = (who: { token: string }, { id }: { id: string }, emoji: string | null) =>
      world.call(`PUT /widgets/${widget.id}/chat/${id}/reaction`, { token: who.token, body: { emoji } });
    const question = await sendWidgetMessage(world, widget, gina, 'Open on Sunday?');
    expect((await react(alice, question, '👍')).body.reactions).toEqual([{ emoji: '👍', user_id: alice.id }]);
    expect((await react(hugo, question, '👍')).status).toBe(404);
    const told = (await world.events(`user:${gina.guest.id}`)).at(-1);
    expect(told).toMatchObject({
      type: 'chat.reaction',
      data: { widget_id: widget.id, guest_id: gina.guest.id, message_id: question.id, user_id: alice.id, emoji: '👍' },
    });
    const notice = await sendWidgetMessage(world, widget, alice, 'Closed on Monday');
    await react(gina, notice, '😢');
    await react(hugo, notice, '🎉');
    const seen = async (who: { token: string }) =>
      (await readWidget(world, widget, who))[0].reactions.map(({ emoji }: { emoji: string }) => emoji);
    expect([await seen(gina), await seen(hugo), await seen(alice)]).toEqual([['😢'], ['🎉'], ['😢', '🎉']]);
    const heard = (await world.events(`user:${gina.guest.id}`)).filter(({ data }) => data.message_id === notice.id);
    expect(heard.map(({ data }) => data.by_guest_id)).toEqual([gina.guest.id]);
    expect((await react(gina, notice, 'no')).status).toBe(422);
  });
});
