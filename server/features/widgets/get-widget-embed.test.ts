import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWidget } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /widgets/{widget_id}/embed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('returns one line without secrets, to those who serve the widget', async () => {
    const { alice, bob } = people;
    const widget = await createWidget(world, alice, 'shop');
    const { status, body } = await world.call(`GET /widgets/${widget.id}/embed`, { token: alice.token });
    expect(status).toBe(200);
    expect(body).toEqual({
      html: `<script async src="http://asterism.test/embed.js" data-widget="${widget.public_key}"></script>`,
      script_url: 'http://asterism.test/embed.js',
      frame_url: `http://asterism.test/w/${widget.public_key}`,
    });
    expect(body.html).not.toContain('\n');
    expect(body.html).not.toMatch(/ast_|astg_/);
    const outsider_response = await world.call(`GET /widgets/${widget.id}/embed`, { token: bob.token });
    const absent = await world.call(`GET /widgets/wid_${'0'.repeat(26)}/embed`, { token: bob.token });
    expect([outsider_response.status, outsider_response.body]).toEqual([404, absent.body]);
  });
});
