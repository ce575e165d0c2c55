import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /widgets/{widget_id}/chat/{message_id}/edits', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('lists previous versions to those who may read the message', async () => {
    const { alice } = people;
    const widget = await createWidget(world, alice, 'shop');
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const answer = await sendWidgetMessage(world, widget, alice, 'From nine', { guest_id: gina.guest.id });
    await world.call(`PATCH /widgets/${widget.id}/chat/${answer.id}`, {
      token: alice.token,
      body: { body: 'From ten' },
    });
    const list = (who: { token: string }) =>
      world.call(`GET /widgets/${widget.id}/chat/${answer.id}/edits`, { token: who.token });
    expect((await list(gina)).body.items.map(({ body }: { body: string }) => body)).toEqual(['From nine']);
    expect((await list(hugo)).status).toBe(404);
    expect((await readWidget(world, widget, gina))[0].body).toBe('From ten');
  });
});
