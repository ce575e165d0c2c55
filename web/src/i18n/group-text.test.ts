import { expect, it } from 'vitest';
import { mayAdminister } from '../data/group-role.ts';
import { describeMember } from './group-text.ts';

type GroupMember = Parameters<typeof describeMember>[0];

const ben = { id: 'usr_1', username: 'ben', display_name: 'Ben', avatar_url: null } as GroupMember['user'];
const member = (fields: Partial<GroupMember>): GroupMember => ({
  contact_id: 'con_1',
  name: 'Ben',
  user: ben,
  state: 'joined',
  is_admin: false,
  contact: null,
  added_at: '2031-05-14T17:20:00Z',
  ...fields,
});

it('marks admins, and knows who joined by the link as a member', () => {
  expect(describeMember(member({}))).toBe('@ben');
  expect(describeMember(member({ is_admin: true }))).toBe('Admin · @ben');
  expect(describeMember(member({ contact_id: null, user: null, state: 'contact' }))).toBe('In the group');
  expect(describeMember(member({ user: null, state: 'contact' }))).toBe('Reached by phone only');
  // What the device kept from before there were admins.
  const { is_admin: _, ...kept } = member({});
  expect(describeMember(kept as GroupMember)).toBe('@ben');
});

it('takes a role that it does not know for that of a member', () => {
  const roles = ['owner', 'admin', 'member', 'guide'] as 'owner'[];
  expect(roles.filter((role) => mayAdminister({ role }))).toEqual(['owner', 'admin']);
});
