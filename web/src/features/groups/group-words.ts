import type { Reply } from '@asterism/sdk';

type Group = Reply<'groups', 'getGroup'>;
type GroupMember = Group['members'][number];

/** How many names a list of groups shows of each. */
const FEW_NAMES = 3;

/** Who is in a group, in one line: "Aunt May, ben and 3 others". */
export function describeMembers({ members, member_count }: Pick<Group, 'members' | 'member_count'>): string {
  const names = members.slice(0, FEW_NAMES).map(({ name }) => name);
  if (names.length === 0) return 'No one yet';
  const others = member_count - names.length;
  if (others > 0) return `${names.join(', ')} and ${others === 1 ? 'one other' : `${others} others`}`;
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** How a member stands to the group, as its owner or another member reads it. */
export function describeMember({ state, contact, user }: GroupMember): string {
  if (state === 'joined') return user === null ? 'In the group' : `In the group, @${user.username}`;
  if (state === 'invited') return 'Asked, and has not answered yet';
  if (state === 'left') return 'Has left. You may still call them.';
  return contact?.phones[0]?.number ?? 'Called and written to, and not in the group themselves';
}

/** Who of a group is the reader. @returns the contact that they are in it; undefined for its owner */
export function ownPlace({ members }: Pick<Group, 'members'>, user_id: string | undefined): string | undefined {
  return members.find(({ user }) => user !== null && user.id === user_id)?.contact_id;
}
