/** What tests of calendars need: events, shares, the feed's file, and notices. */
import { expect } from 'vitest';
import type { Persona } from './personas.ts';
import type { Answer, World } from './world.ts';

/** An hour of a day in 2030, by default otherwise. */
export const event_defaults = {
  title: 'Rehearsal',
  starts_at: '2030-03-04T09:00:00Z',
  ends_at: '2030-03-04T10:00:00Z',
};

/** Makes an event of somebody. */
export async function createEvent(world: World, { token }: Persona, body: object = {}): Promise<Answer['body']> {
  const made = await world.call('POST /calendar/events', { token, body: { ...event_defaults, ...body } });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return made.body;
}

/** Shares an event with people and, if told, by an address. */
export async function shareEvent(
  world: World,
  { id }: { id: string },
  { token }: Persona,
  people: Persona[],
  is_public = false,
): Promise<Answer['body']> {
  const body = { people: people.map((one) => one.id), public: is_public };
  const shared = await world.call(`PUT /calendar/events/${id}/share`, { token, body });
  expect([shared.status, shared.body.error]).toEqual([200, undefined]);
  return shared.body;
}

/** Opens an address of the service outside of the API. */
export async function fetchAddress(
  world: World,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Record<string, string> }> {
  const response = await world.app.http.inject({ method: 'GET', url: new URL(url).pathname, headers });
  return {
    status: response.statusCode,
    text: response.body,
    headers: response.headers as Record<string, string>,
  };
}

/** The fields that a refusal names. */
export const refusedFields = ({ status, body }: Answer): [number, string[]] => [
  status,
  Object.keys(body.error?.fields ?? {}),
];

/** The notices that somebody has, by kind, newest first. */
export async function notificationKinds(world: World, { token }: Persona): Promise<string[]> {
  await world.settle();
  const { body } = await world.call('GET /notifications', { token });
  return body.items.map(({ kind }: { kind: string }) => kind);
}
