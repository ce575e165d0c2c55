import { expect, it } from 'vitest';
import { runMaintenance } from '../../app/jobs/maintenance.ts';
import { changeSharing, inSeconds, reportPosition } from '../../testing/steps/location.ts';
import { advanceSeconds, findPersonas } from '../../testing/world/personas.ts';
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

it('DELETE /location/links/{link_id} removes of the position what nobody may see any more', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const createLink = async (precision: string) =>
    (
      await world.call('POST /location/links', {
        token: alice.token,
        body: { precision, expires_at: inSeconds(world, 100) },
      })
    ).body.id;
  const [exact, approximate] = [await createLink('exact'), await createLink('approximate')];
  const stored = async () =>
    (await world.app.services.db.native.query('select latitude is not null as is_exact from locations')).rows;
  const revoke = (id: string) => world.call(`DELETE /location/links/${id}`, { token: alice.token });
  expect((await reportPosition(world, alice)).status).toBe(204);
  expect(await stored()).toEqual([{ is_exact: true }]);
  await revoke(exact);
  expect(await stored()).toEqual([{ is_exact: false }]);
  await revoke(approximate);
  expect(await stored()).toEqual([]);

  await runMaintenance(world.app.services);

  // Also where the sharing with people becomes less precise.
  const expires_at = inSeconds(world, 4 * 3600);
  await changeSharing(world, alice, { mode: 'selected', people: [bob.id], precision: 'exact', expires_at });
  expect((await reportPosition(world, alice)).status).toBe(204);
  expect(await stored()).toEqual([{ is_exact: true }]);
  const { token } = alice;
  await world.call('PATCH /location/settings', { token, body: { precision: 'approximate' } });
  expect(await stored()).toEqual([{ is_exact: false }]);

  // An exact link that ends by itself.
  await createLink('exact');
  await advanceSeconds(world, 2);
  expect((await reportPosition(world, alice)).status).toBe(204);
  expect(await stored()).toEqual([{ is_exact: true }]);
  await advanceSeconds(world, 3601);
  await world.settle();
  expect(await stored()).toEqual([{ is_exact: false }]);
  await world.close();
});
