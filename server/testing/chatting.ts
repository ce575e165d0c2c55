/** The chats of groups in tests. */
import { expect } from 'vitest';
import { selectGroupChats } from '../domain/chat/group-chats.ts';
import { itemsOf } from './following.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

export { eventsOf } from './messaging.ts';

type Made = { id: string };

/** Writes in a group; answers what the service says. */
export function tryGroupMessage(world: World, group: Made, author: Persona, body?: string, more: object = {}) {
  return world.call(`POST /groups/${group.id}/chat`, {
    token: author.token,
    body: { ...(body === undefined ? {} : { body }), ...more },
  });
}

/** The same for what is taken; answers the message. */
export async function sendGroupMessage(world: World, group: Made, author: Persona, body: string, more: object = {}) {
  const sent = await tryGroupMessage(world, group, author, body, more);
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** The words of a group as somebody reads them, newest first; `null` is what was deleted. */
export async function groupTexts(world: World, group: Made, who: Persona): Promise<(string | null)[]> {
  const items = await itemsOf(world, `/groups/${group.id}/chat`, who);
  return items.map(({ body, deleted_at }: { body: string; deleted_at: string | null }) => (deleted_at ? null : body));
}

/** How many messages of a group somebody has not read; undefined for who is not in it. */
export async function unreadCount(world: World, group: Made, { id }: Persona): Promise<number | undefined> {
  const chats = await selectGroupChats(world.app.services.db, id, { limit: 100 });
  return chats.find((chat) => chat.group.label.id === group.id)?.unread_count;
}
