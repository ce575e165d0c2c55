import { expect, it } from 'vitest';
import { createWorld } from '../testing/world/world.ts';
import { webhooks } from './webhook-contracts.ts';
import { slow } from '../../testing/slow-tests.ts';

it('the OpenAPI document describes every webhook of the service, and no other', slow, async () => {
  const world = await createWorld({ peopled: false });
  const { http } = world.app;
  const document = (await http.inject('/v1/openapi.json')).json();
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(webhooks));
  for (const { path } of Object.values(webhooks))
    expect(http.hasRoute({ method: 'POST', url: `/v1${path}` })).toBe(true);
  const described = new Set([...Object.keys(document.paths), ...Object.values(webhooks).map(({ path }) => path)]);
  const posted = [...http.printRoutes({ commonPrefix: false }).matchAll(/(\/v1\/\S*webhook\S*)/g)].map(
    ([, path]) => path,
  );
  expect(posted.filter((path) => !described.has(path?.slice(3) ?? ''))).toEqual([]);
  await world.close();
});
