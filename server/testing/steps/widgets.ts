/** Widgets and their guests in tests. */
import { expect } from 'vitest';
import { createTag } from './follows.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** The website that embeds widgets. */
export const origin = 'https://shop.example';

type Widget = { id: string; public_key: string; tag: { id: string; name: string } };

/** Creates a widget of a tag; returns the reply of the service. */
export function tryCreateWidget(world: World, owner: Persona, tag: { id: string }, more: object = {}) {
  const body = { tag_id: tag.id, kind: 'chat', allowed_origins: [origin], ...more };
  return world.call('POST /widgets', { token: owner.token, body });
}

/** Creates a widget that must be accepted, with a separate tag; returns the widget. */
export async function createWidget(world: World, owner: Persona, name: string, more: object = {}): Promise<Widget> {
  const { status, body } = await tryCreateWidget(world, owner, await createTag(world, owner, name), more);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** Creates a guest; returns the reply of the service. */
export function tryBecomeGuest(world: World, public_key: string, from: string | undefined = origin, more: object = {}) {
  return world.call('POST /widgets/guests', {
    body: { public_key, ...more },
    ...(from === undefined ? {} : { headers: { origin: from } }),
  });
}

/** Creates a guest who must be accepted; returns the guest. */
export async function becomeGuest(world: World, { public_key }: Widget, name = 'Gina', from = origin) {
  const { status, body } = await tryBecomeGuest(world, public_key, from, { name });
  expect([status, body.error]).toEqual([201, undefined]);
  return body as { token: string; expires_at: string; widget_id: string; guest: { id: string; name: string } };
}

/** Grants an account the large plan. */
export async function grantPlusPlan(world: World, { id, session_id }: Persona): Promise<void> {
  const { db, sessions } = world.app.services;
  await db.native.query("update users set tier = 'plus' where id = $1", [id]);
  sessions.drop(session_id);
}

/** Sends a message in the chat of a widget; returns the reply of the service. */
export function tryWidgetMessage(
  world: World,
  { id }: { id: string },
  author: { token: string },
  body: string,
  more = {},
) {
  return world.call(`POST /widgets/${id}/chat`, { token: author.token, body: { body, ...more } });
}

/** Sends a message that must be accepted; returns the message. */
export async function sendWidgetMessage(
  world: World,
  widget: { id: string },
  author: { token: string },
  body: string,
  more = {},
) {
  const sent = await tryWidgetMessage(world, widget, author, body, more);
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** The chat of a widget as an account or a guest reads it, newest first. */
export async function readWidget(world: World, { id }: { id: string }, viewer: { token: string }, query = '') {
  const { status, body } = await world.call(`GET /widgets/${id}/chat${query}`, { token: viewer.token });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.items;
}
