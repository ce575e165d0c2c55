/** Groups in tests. */
import { afterAll, beforeAll, expect } from 'vitest';
import { addContact, setReach } from './contacts.ts';
import { itemsOf } from './follows.ts';
import { findPersonas, type Persona, type Personas } from '../world/personas.ts';
import { restoreBeforeEach } from '../world/restore-world.ts';
import { createWorld, type World } from '../world/world.ts';

type WithId = { id: string };

/** Creates a group; returns it. @param more fields other than the name */
export async function createGroup(world: World, owner: Persona, name: string, more: object = {}) {
  const { status, body } = await world.call('POST /groups', { token: owner.token, body: { name, ...more } });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

/** A group as an account sees it. */
export async function readGroup(world: World, group: WithId, persona: Persona) {
  const { status, body } = await world.call(`GET /groups/${group.id}`, { token: persona.token });
  expect(status).toBe(200);
  return body;
}

/** Adds a contact to a group; returns the reply of the service. */
export function addMember(world: World, group: WithId, contact: WithId, owner: Persona) {
  return world.call(`PUT /groups/${group.id}/members/${contact.id}`, { token: owner.token });
}

/** Removes a contact from a group; returns the reply of the service. */
export function removeMember(world: World, group: WithId, contact: WithId, persona: Persona) {
  return world.call(`DELETE /groups/${group.id}/members/${contact.id}`, { token: persona.token });
}

/** Adds a person whom everybody may find as a contact and as a member of a group; returns the contact. */
export async function inviteToGroup(world: World, group: WithId, owner: Persona, user: Persona) {
  await setReach(world, user, { find: 'everyone' });
  const contact = await addContact(world, owner, {
    name: `My ${user.username}`,
    phones: [{ number: user.mobile_number }],
  });
  expect((await addMember(world, group, contact, owner)).status).toBe(201);
  return contact;
}

/** The open invites of an account. */
export const invitesOf = (world: World, persona: Persona) => itemsOf(world, '/group-invites', persona);

/** Accepts or declines an invite into a group; returns the reply of the service. */
export function answerInvite(world: World, invite: WithId, persona: Persona, answer: 'accept' | 'decline') {
  return world.call(`POST /group-invites/${invite.id}/${answer}`, { token: persona.token });
}

/** Invites a person into a group, and accepts as that person; returns the contact. */
export async function joinGroup(world: World, group: WithId, owner: Persona, user: Persona) {
  const contact = await inviteToGroup(world, group, owner, user);
  const invite = (await invitesOf(world, user)).find((item: { group: WithId }) => item.group.id === group.id);
  expect((await answerInvite(world, invite, user, 'accept')).status).toBe(200);
  return contact;
}

/** Names and states of a group's members as an account sees them. */
export async function memberStates(
  world: World,
  group: WithId,
  persona: Persona,
): Promise<[string, string, string?][]> {
  const { members, member_count } = await readGroup(world, group, persona);
  expect(member_count).toBe(members.length);
  return members.map(({ name, state, user }: { name: string; state: string; user: { username: string } | null }) =>
    user ? [name, state, user.username] : [name, state],
  );
}

/** Makes a member an admin, or an ordinary member again; returns the reply of the service. */
export function setGroupAdmin(
  world: World,
  group: WithId,
  user: WithId,
  by: Persona,
  method: 'PUT' | 'DELETE' = 'PUT',
) {
  return world.call(`${method} /groups/${group.id}/admins/${user.id}`, { token: by.token });
}

/** Creates the invite link of a group; returns its token. */
export async function createGroupLink(world: World, group: WithId, by: Persona): Promise<string> {
  const { status, body } = await world.call(`PUT /groups/${group.id}/link`, { token: by.token });
  expect(status).toBeLessThan(300);
  return body.url.split('/g/')[1];
}

/** Joins a group by its link; returns the reply of the service. */
export const joinByLink = (world: World, token: string, user: Persona) =>
  world.call(`POST /group-links/${token}/join`, { token: user.token });

/**
 * What most tests of groups begin with: a world of the file with a group that is owned by alice and joined by bob, which
 * is restored before each test.
 * @param members who joins the group
 */
export function prepareGroup(
  name: string,
  assign: (given: { world: World; people: Personas; group: WithId }) => void,
  members: readonly (keyof Personas)[] = ['bob'],
): void {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    const people = findPersonas();
    const group = await createGroup(world, people.alice, name);
    for (const member of members) await joinGroup(world, group, people.alice, people[member]);
    assign({ world, people, group });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
}
