import type { Reply } from '@asterism/sdk';
import { i18n } from './i18n.ts';
import { listNames } from './list-names.ts';
import { formatPhone } from './phone-number.ts';

type Group = Reply<'groups', 'getGroup'>;
type GroupMember = Group['members'][number];

/** The number of names that a list of groups shows of each. */
const FEW_NAMES = 3;

/** The number of people in a group, with its owner, whom `member_count` leaves out. */
export function describeCount({ member_count }: Pick<Group, 'member_count'>): string {
  return i18n.t('{count, plural, one {# member} other {# members}}', { count: member_count + 1 });
}

/** The members of a group in one line: "Aunt May, ben and 3 others". */
export function describeMembers({ members, member_count }: Pick<Group, 'members' | 'member_count'>): string {
  const names = members.slice(0, FEW_NAMES).map(({ name }) => name);
  if (names.length === 0) return i18n.t('No one yet');
  const others = member_count - names.length;
  if (others > 0)
    return i18n.t('{others, plural, one {{names} and one other} other {{names} and # others}}', {
      names: listNames(names, 'comma'),
      others,
    });
  const last = names.pop() ?? '';
  return names.length === 0 ? last : i18n.t('{names} and {last}', { names: listNames(names, 'comma'), last });
}

/** The state of a membership, as the owner or another member sees it. */
export function describeMember({ state, contact, contact_id, user, is_admin }: GroupMember): string {
  // Who joined by the link is in no address book.
  if (state === 'joined' || contact_id === null) {
    if (user === null) return i18n.t('In the group');
    const { username } = user;
    return is_admin ? i18n.t('Admin · @{username}', { username }) : `@${username}`;
  }
  if (state === 'invited') return i18n.t('Invited, no answer yet');
  if (state === 'left') return i18n.t('Has left. You may still call them.');
  const number = contact?.phones[0]?.number;
  return number === undefined ? i18n.t('Reached by phone only') : formatPhone(number);
}
