/** What tests of calendars need: events, shares, the feed's file, and notifications. */
import { expect } from 'vitest';
import type { Persona } from '../world/personas.ts';
import type { Answer, World } from '../world/world.ts';

/** An hour of a day in 2030, unless a test overrides it. */
export const event_defaults = {
  title: 'Rehearsal',
  starts_at: '2030-03-04T09:00:00Z',
  ends_at: '2030-03-04T10:00:00Z',
};

/** Creates an event of an account. */
export async function createEvent(world: World, { token }: Persona, body: object = {}): Promise<Answer['body']> {
  const created = await world.call('POST /calendar/events', { token, body: { ...event_defaults, ...body } });
  expect([created.status, created.body.error]).toEqual([201, undefined]);
  return created.body;
}

/** Shares an event with people and, if `is_public`, by a public link. */
export async function shareEvent(
  world: World,
  { id }: { id: string },
  { token }: Persona,
  people: Persona[],
  is_public = false,
): Promise<Answer['body']> {
  const body = { people: people.map((person) => person.id), public: is_public };
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

/** The fields that an error names. */
export const refusedFields = ({ status, body }: Answer): [number, string[]] => [
  status,
  Object.keys(body.error?.fields ?? {}),
];

/** The kinds of an account's notifications, newest first. */
export async function notificationKinds(world: World, { token }: Persona): Promise<string[]> {
  await world.settle();
  const { body } = await world.call('GET /notifications', { token });
  return body.items.map(({ kind }: { kind: string }) => kind);
}
