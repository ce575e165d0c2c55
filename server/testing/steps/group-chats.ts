/** The chats of groups in tests. */
import { expect } from 'vitest';
import { selectGroupChats } from '../../domain/chat/group-chat-list.ts';
import { itemsOf } from './follows.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

export { eventsOf } from './messages.ts';

type Group = { id: string };

/** Sends a message in a group; returns the reply of the service. */
export function tryGroupMessage(world: World, group: Group, author: Persona, body?: string, more: object = {}) {
  return world.call(`POST /groups/${group.id}/chat`, {
    token: author.token,
    body: { ...(body === undefined ? {} : { body }), ...more },
  });
}

/** Sends a message that must be accepted; returns the message. */
export async function sendGroupMessage(world: World, group: Group, author: Persona, body: string, more: object = {}) {
  const sent = await tryGroupMessage(world, group, author, body, more);
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** The texts of a group as an account reads them, newest first; `null` is a deleted message. */
export async function groupTexts(world: World, group: Group, viewer: Persona): Promise<(string | null)[]> {
  const items = await itemsOf(world, `/groups/${group.id}/chat`, viewer);
  return items.map(({ body, deleted_at }: { body: string; deleted_at: string | null }) => (deleted_at ? null : body));
}

async function chatOf(world: World, group: Group, { id }: Persona) {
  const chats = await selectGroupChats(world.app.services.db, id, { limit: 100 });
  return chats.find((chat) => chat.group.label.id === group.id);
}

/** The number of messages of a group that an account has not read; undefined for one that is not in it. */
export const unreadCount = async (world: World, group: Group, viewer: Persona): Promise<number | undefined> =>
  (await chatOf(world, group, viewer))?.unread_count;

/** How many of them mention that account. */
export const unreadMentions = async (world: World, group: Group, viewer: Persona): Promise<number | undefined> =>
  (await chatOf(world, group, viewer))?.unread_mentions;
