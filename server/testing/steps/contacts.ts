/** Contacts in tests. */
import { expect } from 'vitest';
import type { Persona } from '../world/personas.ts';
import { multipart } from '../samples/upload.ts';
import type { Answer, World } from '../world/world.ts';

/** Creates a contact, by default named Sam; returns it. */
export async function addContact(world: World, owner: Persona, contact: object) {
  const { status, body } = await world.call('POST /contacts', {
    token: owner.token,
    body: { name: 'Sam', ...contact },
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** The username of the account that a contact matches now, or null. */
export async function matchedUser(world: World, owner: Persona, { id }: { id: string }): Promise<string | null> {
  const { status, body } = await world.call(`GET /contacts/${id}`, { token: owner.token });
  expect(status).toBe(200);
  return body.user?.username ?? null;
}

/** Sets who may find an account, or reach it in another way. */
export async function setReach(world: World, persona: Persona, reach: Record<string, string>): Promise<void> {
  const { status } = await world.call('PATCH /me', { token: persona.token, body: { reach } });
  expect(status).toBe(200);
}

/** Uploads a file of contacts for preview; returns the reply of the service. */
export function previewFile(world: World, owner: Persona, text: string) {
  const body = multipart(Buffer.from(text), 'contacts', 'application/octet-stream');
  return world.call('POST /contacts/import/preview', { token: owner.token, ...body });
}

/** Previews lines of `name,phone,email,note`, sent as JSON, so that no process has to parse them. */
export function previewLines(world: World, owner: Persona, lines: string[]) {
  const contacts = lines.map((line) => {
    const [name = '', phone = '', email = '', note = ''] = line.split(',');
    const phones = phone ? [{ number: phone }] : [];
    const emails = email ? [{ address: email }] : [];
    return { name, phones, emails, note };
  });
  return world.call('POST /contacts/import/preview', { token: owner.token, body: { contacts } });
}

/** Imports a preview; returns the reply of the service. */
export function commitImport(world: World, owner: Persona, preview_id: string, more: object = {}) {
  return world.call('POST /contacts/import', { token: owner.token, body: { preview_id, ...more } });
}

/** Imports all of a preview; returns the batch. */
async function commitPreview(world: World, owner: Persona, preview: Answer) {
  expect([preview.status, preview.body.error]).toEqual([200, undefined]);
  const { status, body } = await commitImport(world, owner, preview.body.preview_id);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** Imports a file unchanged; returns the batch. */
export const importFile = async (world: World, owner: Persona, text: string) =>
  commitPreview(world, owner, await previewFile(world, owner, text));

/** Imports lines of `name,phone,email,note`; returns the batch. */
export const importLines = async (world: World, owner: Persona, lines: string[]) =>
  commitPreview(world, owner, await previewLines(world, owner, lines));

/** Rolls an import back; returns the reply of the service. */
export function rollBackImport(world: World, owner: Persona, batch: { id: string }) {
  return world.call(`POST /contacts/imports/${batch.id}/rollback`, { token: owner.token });
}
