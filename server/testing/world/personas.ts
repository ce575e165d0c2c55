/** Personas: the people of the tests. alice, bob and carol are verified, uma is not. */
import { expect, inject } from 'vitest';
import type { World } from './world.ts';

export type Persona = {
  username: string;
  id: string;
  token: string;
  refresh_token: string;
  session_id: string;
  email: string;
  mobile_number: string;
  password: string;
};

export type Personas = { alice: Persona; bob: Persona; carol: Persona; uma: Persona };

export const password = 'a quiet river bend';

/** Registers an account by the API and, by default, verifies its mobile number. */
export async function register(world: World, username: string, number: number, verified = true): Promise<Persona> {
  const email = `${username}@example.org`;
  const mobile_number = `+1415555${String(number).padStart(4, '0')}`;
  // Each account registers from a separate address.
  const ip = `10.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;
  const registration = await world.call('POST /auth/register', { body: { username, password, email }, ip });
  expect(registration.status).toBe(201);
  const code = (await world.sent(email))[0]?.code;
  const signed_in = await world.call('POST /auth/register/verify', {
    body: { registration_id: registration.body.registration_id, code },
    ip,
  });
  expect(signed_in.status).toBe(201);
  const { token, refresh_token, session_id, user } = signed_in.body;
  const persona = { username, id: user.id, token, refresh_token, session_id, email, mobile_number, password };
  if (verified) await verifyMobile(world, persona);
  return persona;
}

/** Sets and verifies an account's mobile number. */
export async function verifyMobile(world: World, { token, mobile_number }: Persona): Promise<void> {
  await world.call('PUT /me/mobile', { token, body: { mobile_number } });
  await world.call('POST /me/mobile/codes', { token, body: {} });
  const code = (await world.sent(mobile_number))[0]?.code;
  const verified = await world.call('POST /me/mobile/verify', { token, body: { code } });
  expect(verified.status).toBe(200);
}

/** Signs in again on another device, with the code from the mail. */
export async function signInAgain(world: World, persona: Persona): Promise<Persona> {
  const registration = await world.call('POST /auth/login', {
    body: { username: persona.username, password: persona.password },
  });
  expect(registration.body.status).toBe('otp_required');
  const code = (await world.sent(persona.email))[0]?.code;
  const { body } = await world.call('POST /auth/login/verify', {
    body: { login_id: registration.body.login_id, code },
  });
  return { ...persona, token: body.token, refresh_token: body.refresh_token, session_id: body.session_id };
}

/** The code of the newest message to an address. */
export async function newestCode(world: World, to: string): Promise<string> {
  return (await world.sent(to))[0]?.code ?? '';
}

/** The token of the link in the newest message to an address. */
export async function newestLinkToken(world: World, to: string): Promise<string> {
  const link = (await world.sent(to))[0]?.links[0];
  return new URL(link ?? '').searchParams.get('token') ?? '';
}

/** The four personas, who are in every world unless it was created without people. */
export function findPersonas(): Personas {
  return inject('personas');
}

/** Registers them in a world. */
export async function registerPersonas(world: World): Promise<Personas> {
  return {
    alice: await register(world, 'alice', 1),
    bob: await register(world, 'bob', 2),
    carol: await register(world, 'carol', 3),
    uma: await register(world, 'uma', 4, false),
  };
}

/** Advances time by days, during which everybody's app keeps its session alive. */
export async function advanceDays(world: World, days: number): Promise<void> {
  await advanceSeconds(world, days * 86_400 + 1);
}

/** Advances time to the beginning of a second, so that what happens within it is told with the same time. */
export async function advanceToSecond({ clock }: World, seconds: number): Promise<void> {
  await clock.advance(seconds + 1 - (clock.now().getTime() % 1000) / 1000);
}

/** A world's clock that keeps all sessions alive. */
export const sessionClock = (world: World) => ({
  now: world.clock.now,
  advance: (seconds: number) => advanceSeconds(world, seconds),
});

/** Advances time by seconds, during which everybody's app keeps its session alive. */
export async function advanceSeconds(world: World, seconds: number): Promise<void> {
  const { db, sessions } = world.app.services;
  await world.clock.advance(seconds);
  const longer = 'expires_at = expires_at + make_interval(secs => $1)';
  await db.native.query(`update session_tokens set ${longer}`, [seconds + 60]);
  const { rows } = await db.native.query<{ id: string }>(`update sessions set ${longer} returning id`, [seconds + 60]);
  for (const { id } of rows) sessions.drop(id);
}
