/** Location sharing in tests. */
import { expect } from 'vitest';
import { wireTime } from '../kernel/time.ts';
import type { Persona } from './personas.ts';
import type { Answer, World } from './world.ts';

/** A place, and one in the same cell. */
export const place = { latitude: 52.520008, longitude: 13.404954 };
export const place_in_same_cell = { latitude: 52.5201, longitude: 13.4052 };

/** A moment so many seconds from now, as it stands on the wire. */
export const inSeconds = (world: World, seconds: number): string =>
  wireTime(new Date(world.clock.now().getTime() + seconds * 1000));

/** Changes somebody's settings; without an end they end in an hour. */
export const changeSharing = (world: World, { token }: Persona, change: Record<string, unknown>): Promise<Answer> =>
  world.call('PATCH /location/settings', {
    token,
    body: { ...(change['mode'] === 'off' ? {} : { expires_at: inSeconds(world, 3600) }), ...change },
  });

/** Reports a position as of now. */
export const reportPosition = (
  world: World,
  { token }: Persona,
  point: Record<string, unknown> = {},
): Promise<Answer> =>
  world.call('POST /location/report', {
    token,
    body: { ...place, accuracy_m: 8, recorded_at: inSeconds(world, 0), ...point },
  });

/** Whom somebody sees on the map. */
export async function visiblePeople(world: World, { token }: Persona) {
  const { status, body } = await world.call('GET /location/people', { token });
  expect(status).toBe(200);
  return body.items;
}

/** The names of those whom somebody sees on the map. */
export const visibleNames = async (world: World, who: Persona): Promise<string[]> =>
  (await visiblePeople(world, who)).map(({ user }: { user: { username: string } }) => user.username);
