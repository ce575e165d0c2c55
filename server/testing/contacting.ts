/** Contacts in tests. */
import { expect } from 'vitest';
import type { Persona } from './personas.ts';
import { multipart } from './upload.ts';
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

/** Shows a file of contacts to the service; answers what it says of each. */
export function previewFile(world: World, owner: Persona, text: string) {
  const body = multipart(Buffer.from(text), 'contacts', 'application/octet-stream');
  return world.call('POST /contacts/import/preview', { token: owner.token, ...body });
}

/** Takes a preview; answers what the service says. */
export function commitImport(world: World, owner: Persona, preview_id: string, more: object = {}) {
  return world.call('POST /contacts/import', { token: owner.token, body: { preview_id, ...more } });
}

/** Imports a file as it is; answers the batch. */
export async function importFile(world: World, owner: Persona, text: string) {
  const preview = await previewFile(world, owner, text);
  expect([preview.status, preview.body.error]).toEqual([200, undefined]);
  const { status, body } = await commitImport(world, owner, preview.body.preview_id);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** Rolls an import back; answers what the service says. */
export function rollBack(world: World, owner: Persona, batch: { id: string }) {
  return world.call(`POST /contacts/imports/${batch.id}/rollback`, { token: owner.token });
}
