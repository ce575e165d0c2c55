/** Invites to the service in tests. */
import { expect } from 'vitest';
import { password, verifyMobile, type Persona } from '../world/personas.ts';
import type { Answer, World } from '../world/world.ts';

/** Invites an address; returns the reply of the service. */
export const inviteByMail = (world: World, { token }: Persona, to: string, message?: string): Promise<Answer> =>
  world.call('POST /invites', { token, body: { channel: 'email', to, ...(message ? { message } : {}) } });

/** The token of the link in the newest invite to an address. */
export async function inviteTokenOf(world: World, to: string): Promise<string> {
  const link = (await world.sent(to))[0]?.links[0] ?? '';
  expect(link).toMatch(/^http:\/\/asterism\.test\/i\/[\w-]{32}$/);
  return link.split('/').at(-1) ?? '';
}

/** Registers an account with an invite, and verifies a number, since most operations require one. */
export async function registerInvited(
  world: World,
  invite_token: string,
  username: string,
  number: number,
): Promise<Persona> {
  const email = `${username}@example.org`;
  const mobile_number = `+1415555${String(number).padStart(4, '0')}`;
  const registration = await world.call('POST /auth/register', { body: { username, password, email, invite_token } });
  expect([registration.status, registration.body.error]).toEqual([201, undefined]);
  const code = (await world.sent(email))[0]?.code;
  const { body, status } = await world.call('POST /auth/register/verify', {
    body: { registration_id: registration.body.registration_id, code },
  });
  expect(status).toBe(201);
  const { token, refresh_token, session_id, user } = body;
  const persona = { username, id: user.id, token, refresh_token, session_id, email, mobile_number, password };
  await verifyMobile(world, persona);
  return persona;
}
