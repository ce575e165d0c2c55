/** The members of a group as suggestions. */
import type { ChatMessage, Person } from '@asterism/sdk';
import { nameOf } from '../../ui/avatar.tsx';
import type { Group } from '../../data/queries/group-queries.ts';
import type { Suggestion } from './choose-suggestions.ts';
import { suggestPerson } from './suggestions.ts';

/**
 * The members whom the reader can mention in the chat of a group: those who wrote last come first.
 * @param messages newest first
 */
export function suggestMembers(
  { owner, members }: Pick<Group, 'owner' | 'members'>,
  messages: readonly Pick<ChatMessage, 'author'>[],
  reader_id: string | undefined,
): Suggestion[] {
  const named: [Person, string][] = [
    [owner, nameOf(owner)],
    ...members.flatMap(({ user, name, state }): [Person, string][] =>
      user === null || state !== 'joined' ? [] : [[user, name]],
    ),
  ];
  const authors = [...new Set(messages.map(({ author }) => author?.user?.id))];
  const rankOf = ({ id }: Person) => (authors.includes(id) ? authors.indexOf(id) : authors.length);
  return named
    .filter(([{ id }]) => id !== reader_id)
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([person, name]) => suggestPerson(person, name));
}
