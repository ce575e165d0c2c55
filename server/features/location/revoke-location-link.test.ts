import { expect, it } from 'vitest';
import { inSeconds } from '../../testing/steps/location.ts';
import { findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('DELETE /location/links/{link_id} revokes a link of the caller, idempotently', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const body = { expires_at: inSeconds(world, 100) };
  const link = (await world.call('POST /location/links', { token: alice.token, body })).body;
  const foreign = await world.call(`DELETE /location/links/${link.id}`, { token: bob.token });
  const absent = await world.call(`DELETE /location/links/lnk_${'0'.repeat(26)}`, { token: bob.token });
  expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
  for (let times = 0; times < 2; times++)
    expect((await world.call(`DELETE /location/links/${link.id}`, { token: alice.token })).status).toBe(204);
  await world.close();
});
