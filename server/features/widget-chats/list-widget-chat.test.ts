import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { becomeGuest, createWidget, readWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /widgets/{widget_id}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('paginates by cursor and by offset, including notices; returns 404 to outsiders', async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'shop');
    const gina = await becomeGuest(world, widget);
    const ids: string[] = [];
    for (let at = 0; at < 6; at++)
      ids.unshift((await sendWidgetMessage(world, widget, at % 2 ? alice : gina, `Number ${at}`)).id);
    const idsOf = async (who: { token: string }, query: string) =>
      (await readWidget(world, widget, who, query)).map(({ id }: { id: string }) => id);
    for (const who of [alice, gina]) {
      expect(await idsOf(who, '')).toEqual(ids);
      expect(await idsOf(who, '?limit=2')).toEqual(ids.slice(0, 2));
      expect(await idsOf(who, '?limit=2&offset=3')).toEqual(ids.slice(3, 5));
      expect(await idsOf(who, `?limit=3&before_id=${ids[1]}`)).toEqual(ids.slice(2, 5));
    }
    const { body } = await world.call(`GET /widgets/${widget.id}/chat?limit=6`, { token: gina.token });
    expect(body.has_more).toBe(false);
    const other = await world.call(`GET /widgets/${widget.id}/chat?guest_id=gst_${'0'.repeat(26)}`, {
      token: gina.token,
    });
    expect([other.status, Object.keys(other.body.error.fields)]).toEqual([422, ['guest_id']]);
    const outsider_response = await world.call(`GET /widgets/${widget.id}/chat`, { token: bob.token });
    const absent = await world.call(`GET /widgets/wid_${'0'.repeat(26)}/chat`, { token: bob.token });
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
  });
});
