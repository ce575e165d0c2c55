import { expect, it } from 'vitest';
import { createWorld } from '../../testing/world.ts';

it('GET /public-links/{token} answers 410 for a token that was never given out', async () => {
  const world = await createWorld({ peopled: false });
  const answer = await world.call(`GET /public-links/${'A'.repeat(32)}`);
  expect([answer.status, answer.body.error.code]).toEqual([410, 'gone']);
  expect((await world.call('GET /public-links/*odd')).status).toBe(404);
  await world.close();
});
