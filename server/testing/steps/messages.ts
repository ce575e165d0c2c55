/** Threads and their messages in tests. */
import { expect } from 'vitest';
import { itemsOf } from './follows.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

/** Opens the thread of two people and returns it as the opener sees it. */
export async function openThread(world: World, opener: Persona, peer: Persona) {
  const { status, body } = await world.call('POST /dm/threads', { token: opener.token, body: { user_id: peer.id } });
  expect([200, 201]).toContain(status);
  return body;
}

/** Sends a message in a thread; returns the reply of the service. */
export function tryMessage(world: World, thread: { id: string }, author: Persona, body?: string, more: object = {}) {
  return world.call(`POST /dm/threads/${thread.id}/chat`, {
    token: author.token,
    body: { ...(body === undefined ? {} : { body }), ...more },
  });
}

/** Sends a message that must be accepted; returns the message. */
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

/** Accepts or declines a message request; returns the reply of the service. */
export function answerRequest(world: World, thread: { id: string }, persona: Persona, answer: 'accept' | 'decline') {
  return world.call(`POST /dm/threads/${thread.id}/${answer}`, { token: persona.token, body: {} });
}

/** A thread as an account sees it. */
export async function readThread(world: World, thread: { id: string }, persona: Persona) {
  const { status, body } = await world.call(`GET /dm/threads/${thread.id}`, { token: persona.token });
  expect(status).toBe(200);
  return body;
}

/** A thread in which both have written. */
export async function openAcceptedThread(world: World, opener: Persona, peer: Persona) {
  const thread = await openThread(world, opener, peer);
  await sendMessage(world, thread, opener, 'Hello');
  await sendMessage(world, thread, peer, 'Hello yourself');
  return readThread(world, thread, opener);
}

/** The texts of a thread as an account reads them, newest first; `null` is a deleted message. */
export async function threadTexts(world: World, thread: { id: string }, persona: Persona): Promise<(string | null)[]> {
  const items = await itemsOf(world, `/dm/threads/${thread.id}/chat`, persona);
  return items.map(({ body, deleted_at }: { body: string; deleted_at: string | null }) => (deleted_at ? null : body));
}

/** The events of one type that an account's devices received, oldest first. */
export async function eventsOf(world: World, { id }: Persona, type: string) {
  return (await world.events(`user:${id}`)).filter((event) => event.type === type).map(({ data }) => data);
}
