/** Contacts in tests. */
import { expect } from 'vitest';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

/** Adds a contact and answers it. */
export async function addContact(world: World, owner: Persona, contact: object) {
  const { status, body } = await world.call('POST /contacts', {
    token: owner.token,
    body: { name: 'Sam', ...contact },
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** The name of the account that a contact is to its owner now, or null. */
export async function userOf(world: World, owner: Persona, { id }: { id: string }): Promise<string | null> {
  const { status, body } = await world.call(`GET /contacts/${id}`, { token: owner.token });
  expect(status).toBe(200);
  return body.user?.username ?? null;
}

/** Sets who may find somebody, or approach them in another way. */
export async function setReach(world: World, who: Persona, reach: Record<string, string>): Promise<void> {
  const { status } = await world.call('PATCH /me', { token: who.token, body: { reach } });
  expect(status).toBe(200);
}
