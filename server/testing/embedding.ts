/** Widgets and their guests in tests. */
import { expect } from 'vitest';
import { createTag } from './following.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

export const origin = 'https://shop.example';

type Made = { id: string; public_key: string; tag: { name: string } };

/** Makes a widget of a tag; answers what the service says. */
export function tryCreateWidget(world: World, owner: Persona, tag: { id: string }, more: object = {}) {
  const body = { tag_id: tag.id, kind: 'chat', allowed_origins: [origin], ...more };
  return world.call('POST /widgets', { token: owner.token, body });
}

/** The same for what is taken, with a tag of its own; answers the widget. */
export async function createWidget(world: World, owner: Persona, name: string, more: object = {}): Promise<Made> {
  const { status, body } = await tryCreateWidget(world, owner, await createTag(world, owner, name), more);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** Becomes a guest; answers what the service says. */
export function tryBecomeGuest(world: World, public_key: string, from: string | undefined = origin, more: object = {}) {
  return world.call('POST /widgets/guests', {
    body: { public_key, ...more },
    ...(from === undefined ? {} : { headers: { origin: from } }),
  });
}

/** The same for what is taken. */
export async function becomeGuest(world: World, { public_key }: Made, name = 'Gina') {
  const { status, body } = await tryBecomeGuest(world, public_key, origin, { name });
  expect([status, body.error]).toEqual([201, undefined]);
  return body as { token: string; expires_at: string; widget_id: string; guest: { id: string; name: string } };
}

/** Gives somebody the large plan. */
export async function grantPlusPlan(world: World, { id, session_id }: Persona): Promise<void> {
  const { db, sessions } = world.app.services;
  await db.native.query("update users set tier = 'plus' where id = $1", [id]);
  sessions.drop(session_id);
}

/** Writes in the chat of a widget; answers what the service says. */
export function tryWidgetMessage(
  world: World,
  { id }: { id: string },
  who: { token: string },
  body: string,
  more = {},
) {
  return world.call(`POST /widgets/${id}/chat`, { token: who.token, body: { body, ...more } });
}

/** The same for what is taken; answers the message. */
export async function sendWidgetMessage(
  world: World,
  at: { id: string },
  who: { token: string },
  body: string,
  more = {},
) {
  const sent = await tryWidgetMessage(world, at, who, body, more);
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** What somebody reads in the chat of a widget, newest first. */
export async function readWidget(world: World, { id }: { id: string }, who: { token: string }, query = '') {
  const { status, body } = await world.call(`GET /widgets/${id}/chat${query}`, { token: who.token });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.items;
}
