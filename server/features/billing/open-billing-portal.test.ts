import { expect, it } from 'vitest';
import { buyPlus, openCheckout, settleCheckout } from '../../testing/steps/billing.ts';
import { advanceDays, findPersonas } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('POST /billing/portal leads a subscriber to the page where a declined card is replaced', async () => {
  const world = await createWorld();
  const { alice, bob } = findPersonas();
  const { token } = alice;
  const open = (who = alice) => world.call('POST /billing/portal', { token: who.token, body: {} });
  const read = async () => (await world.call('GET /billing/subscription', { token })).body;
  expect([(await open()).status, (await open()).body.error.message]).toEqual([
    404,
    'You have no subscription to manage.',
  ]);
  const session_id = await openCheckout(world, alice);
  expect((await settleCheckout(world, session_id, 'declined')).body.error.fields).toEqual({
    outcome: 'cannot follow open',
  });
  await settleCheckout(world, session_id, 'paid');
  const opened = await open();
  expect([opened.status, opened.body.portal_url]).toEqual([
    200,
    expect.stringContaining(session_id.replace(/^cs_/, '/console#sub_')),
  ]);
  // Another subscriber has another page.
  await buyPlus(world, bob);
  expect((await open(bob)).body.portal_url).not.toBe(opened.body.portal_url);

  await settleCheckout(world, session_id, 'declined');
  expect(await read()).toMatchObject({ tier: 'plus', state: 'past_due' });
  // The service finds out by itself that the card is still declined.
  await advanceDays(world, 31);
  await world.settle();
  expect(await read()).toMatchObject({ tier: 'plus', state: 'past_due' });
  expect((await open()).status).toBe(200);
  await settleCheckout(world, session_id, 'paid');
  expect(await read()).toMatchObject({ tier: 'plus', state: 'active', cancel_at_period_end: false });
  expect(Date.parse((await read()).current_period_end)).toBeGreaterThan(world.clock.now().getTime());
  await world.close();
});
