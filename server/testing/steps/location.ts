/** Location sharing in tests. */
import { expect } from 'vitest';
import { wireTime } from '../../kernel/time.ts';
import type { Persona } from '../world/personas.ts';
import type { Answer, World } from '../world/world.ts';

/** A place, and one in the same cell. */
export const place = { latitude: 52.520008, longitude: 13.404954 };
export const place_in_same_cell = { latitude: 52.5201, longitude: 13.4052 };

/** A time some seconds from now, in the format of the API. */
export const inSeconds = (world: World, seconds: number): string =>
  wireTime(new Date(world.clock.now().getTime() + seconds * 1000));

/** Changes an account's settings; by default they end in an hour. */
export const changeSharing = (world: World, { token }: Persona, change: Record<string, unknown>): Promise<Answer> =>
  world.call('PATCH /location/settings', {
    token,
    body: { ...(change['mode'] === 'off' ? {} : { expires_at: inSeconds(world, 3600) }), ...change },
  });

/** Reports a position at the current time. */
export const reportPosition = (
  world: World,
  { token }: Persona,
  point: Record<string, unknown> = {},
): Promise<Answer> =>
  world.call('POST /location/report', {
    token,
    body: { ...place, accuracy_m: 8, recorded_at: inSeconds(world, 0), ...point },
  });

/** The people whom an account sees on the map. */
export async function visiblePeople(world: World, { token }: Persona) {
  const { status, body } = await world.call('GET /location/people', { token });
  expect(status).toBe(200);
  return body.items;
}

/** The names of the people whom an account sees on the map. */
export const visibleNames = async (world: World, persona: Persona): Promise<string[]> =>
  (await visiblePeople(world, persona)).map(({ user }: { user: { username: string } }) => user.username);
