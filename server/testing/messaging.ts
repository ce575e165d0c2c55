/** Threads and their messages in tests. */
import { expect } from 'vitest';
import { itemsOf } from './following.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

/** Opens the thread of two people and answers it as the opener sees it. */
export async function openThread(world: World, opener: Persona, peer: Persona) {
  const { status, body } = await world.call('POST /dm/threads', { token: opener.token, body: { user_id: peer.id } });
  expect([200, 201]).toContain(status);
  return body;
}

/** Writes in a thread; answers what the service says. */
export function tryMessage(world: World, thread: { id: string }, author: Persona, body?: string, more: object = {}) {
  return world.call(`POST /dm/threads/${thread.id}/chat`, {
    token: author.token,
    body: { ...(body === undefined ? {} : { body }), ...more },
  });
}

/** The same for what is taken; answers the message. */
export async function sendMessage(
  world: World,
  thread: { id: string },
  author: Persona,
  body: string,
  more: object = {},
) {
  const sent = await tryMessage(world, thread, author, body, more);
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** Answers a request. */
export function answerRequest(world: World, thread: { id: string }, who: Persona, word: 'accept' | 'decline') {
  return world.call(`POST /dm/threads/${thread.id}/${word}`, { token: who.token, body: {} });
}

/** A thread as somebody sees it. */
export async function readThread(world: World, thread: { id: string }, who: Persona) {
  const { status, body } = await world.call(`GET /dm/threads/${thread.id}`, { token: who.token });
  expect(status).toBe(200);
  return body;
}

/** A thread in which both have written. */
export async function openAcceptedThread(world: World, one: Persona, other: Persona) {
  const thread = await openThread(world, one, other);
  await sendMessage(world, thread, one, 'Hello');
  await sendMessage(world, thread, other, 'Hello yourself');
  return readThread(world, thread, one);
}

/** The words of a thread as somebody reads them, newest first; `null` is what was deleted. */
export async function threadTexts(world: World, thread: { id: string }, who: Persona): Promise<(string | null)[]> {
  const items = await itemsOf(world, `/dm/threads/${thread.id}/chat`, who);
  return items.map(({ body, deleted_at }: { body: string; deleted_at: string | null }) => (deleted_at ? null : body));
}

/** What somebody's devices have heard of one type, oldest first. */
export async function eventsOf(world: World, { id }: Persona, type: string) {
  return (await world.events(`user:${id}`)).filter((one) => one.type === type).map(({ data }) => data);
}
