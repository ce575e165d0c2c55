/** The chat of a call in tests: messages, and actions on them. */
import { expect } from 'vitest';
import { connectMedia, requestGrants, startCall } from './calls.ts';
import type { Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';

type Writer = { token: string };

/** What identifies a call on the wire. */
export type TestCall = { join_code: string; conference_id: string };

/** Starts a call with a host and others in it. */
export async function startJoinedCall(world: World, host: Persona, ...others: Persona[]): Promise<TestCall> {
  const call = await startCall(world, host, others);
  await requestGrants(world, call.join_code, host, ...others);
  await connectMedia(world, call.conference_id, host, ...others);
  return call;
}

/** Sends a message in the chat of a call; returns the message. */
export async function sendCallMessage(
  world: World,
  { join_code }: TestCall,
  author: Writer,
  body: string,
  more: object = {},
) {
  const sent = await world.call(`POST /calls/${join_code}/chat`, { token: author.token, body: { body, ...more } });
  expect([sent.status, sent.body.error]).toEqual([201, undefined]);
  return sent.body;
}

/** The chat of a call as a participant reads it, newest first. */
export async function readCallChat(world: World, { join_code }: TestCall, author: Writer) {
  const { status, body } = await world.call(`GET /calls/${join_code}/chat`, { token: author.token });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.items;
}

/** Acts on a message of a call; returns the reply of the service. */
export const actOnCallMessage = (
  world: World,
  { join_code }: TestCall,
  author: Writer,
  method: string,
  message: { id: string },
  { path = '', body }: { path?: string; body?: object } = {},
) =>
  world.call(`${method} /calls/${join_code}/chat/${message.id}${path}`, {
    token: author.token,
    ...(body ? { body } : {}),
  });
