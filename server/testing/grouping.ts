/** Groups in tests. */
import { expect } from 'vitest';
import { addContact, setReach } from './contacting.ts';
import { itemsOf } from './following.ts';
import type { Persona } from './personas.ts';
import type { World } from './world.ts';

type Made = { id: string };

/** Makes a group and answers it. */
export async function createGroup(world: World, owner: Persona, name: string, more: object = {}) {
  const { status, body } = await world.call('POST /groups', { token: owner.token, body: { name, ...more } });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** Reads a group as somebody sees it. */
export async function readGroup(world: World, group: Made, who: Persona) {
  const { status, body } = await world.call(`GET /groups/${group.id}`, { token: who.token });
  expect(status).toBe(200);
  return body;
}

/** Puts a contact into a group; answers what the service says. */
export function addMember(world: World, group: Made, contact: Made, owner: Persona) {
  return world.call(`PUT /groups/${group.id}/members/${contact.id}`, { token: owner.token });
}

/** Takes a contact out of a group; answers what the service says. */
export function removeMember(world: World, group: Made, contact: Made, who: Persona) {
  return world.call(`DELETE /groups/${group.id}/members/${contact.id}`, { token: who.token });
}

/** Writes down a user who lets everybody find them, and puts them into a group; answers the contact. */
export async function inviteToGroup(world: World, group: Made, owner: Persona, user: Persona) {
  await setReach(world, user, { find: 'everyone' });
  const contact = await addContact(world, owner, {
    name: `My ${user.username}`,
    phones: [{ number: user.mobile_number }],
  });
  expect((await addMember(world, group, contact, owner)).status).toBe(201);
  return contact;
}

/** The invites that wait for somebody. */
export const invitesOf = (world: World, who: Persona) => itemsOf(world, '/group-invites', who);

/** Answers an invite. */
export function answerInvite(world: World, invite: Made, who: Persona, answer: 'accept' | 'decline') {
  return world.call(`POST /group-invites/${invite.id}/${answer}`, { token: who.token });
}

/** Invites a user into a group and has them accept; answers the contact. */
export async function joinGroup(world: World, group: Made, owner: Persona, user: Persona) {
  const contact = await inviteToGroup(world, group, owner, user);
  const invite = (await invitesOf(world, user)).find((one: { group: Made }) => one.group.id === group.id);
  expect((await answerInvite(world, invite, user, 'accept')).status).toBe(200);
  return contact;
}

/** Names and states of a group's members as somebody sees them. */
export async function memberStates(world: World, group: Made, who: Persona): Promise<[string, string, string?][]> {
  const { members, member_count } = await readGroup(world, group, who);
  expect(member_count).toBe(members.length);
  return members.map(({ name, state, user }: { name: string; state: string; user: { username: string } | null }) =>
    user ? [name, state, user.username] : [name, state],
  );
}
