import { nameOf } from '../../ui/avatar.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { listNames } from '../../i18n/list-names.ts';
import type { LastingRoom } from './room-queries.ts';

/** The name of a room: its tag or group. */
export function nameOfRoom({ tag, group }: Pick<LastingRoom, 'tag' | 'group'>): string {
  return tag === null ? (group?.name ?? '') : `*${tag.name}`;
}

/** Who is in a room now, as a sentence. */
export function describeInside({ call }: Pick<LastingRoom, 'call'>): string {
  if (call === null) return i18n.t('No one is here yet');
  const { people, participant_count } = call;
  const names = people.map(nameOf);
  // Guests and people hidden from the reader are only counted.
  if (names.length === 0)
    return i18n.t('{count, plural, one {# person is in} other {# people are in}}', { count: participant_count });
  const others = participant_count - names.length;
  return others > 0
    ? i18n.t('{count, plural, one {In now: {names} and # other} other {In now: {names} and # others}}', {
        names: listNames(names, 'comma'),
        count: others,
      })
    : i18n.t('In now: {names}', { names: listNames(names, 'comma') });
}
