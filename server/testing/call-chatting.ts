/** The chat of a call in tests: what is written there, and what is done to it. */
import { expect } from 'vitest';
import { connectMedia, requestGrants, startCall } from './calling.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

type Writer = { token: string };
export type TestCall = { join_code: string; conference_id: string };

/** A call in which its host and others are. */
export async function startJoinedCall(world: World, host: Persona, ...others: Persona[]): Promise<TestCall> {
  const call = await startCall(world, host, others);
  await requestGrants(world, call.join_code, host, ...others);
  await connectMedia(world, call.conference_id, host, ...others);
  return call;
}

/** Writes in the chat of a call; answers the message. */
export async function sendCallMessage(
  world: World,
  { join_code }: TestCall,
  who: Writer,
  body: string,
  more: object = {},
) {
  const sent = await world.call(`POST /calls/${join_code}/chat`, { token: who.token, body: { body, ...more } });
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** The chat of a call as somebody reads it, newest first. */
export async function readCallChat(world: World, { join_code }: TestCall, who: Writer) {
  const { status, body } = await world.call(`GET /calls/${join_code}/chat`, { token: who.token });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.items;
}

/** Does something to a message of a call; answers what the service says. */
export const actOnCallMessage = (
  world: World,
  { join_code }: TestCall,
  who: Writer,
  method: string,
  message: { id: string },
  { path = '', body }: { path?: string; body?: object } = {},
) =>
  world.call(`${method} /calls/${join_code}/chat/${message.id}${path}`, {
    token: who.token,
    ...(body ? { body } : {}),
  });
