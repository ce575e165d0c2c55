/** People and tags as suggestions. */
import type { Person, Tag } from '@asterism/sdk';
import { nameOf } from '../../ui/avatar.tsx';
import type { Contact } from '../../data/queries/contact-queries.ts';
import type { Suggestion } from './choose-suggestions.ts';

/** @param title their displayed name, or how the reader calls them */
export const suggestPerson = (person: Person, title = nameOf(person)): Suggestion => ({
  kind: 'person',
  text: `@${person.username}`,
  title,
  person,
});

/** The person of a contact, by the name of the contact; none without an account. */
export const suggestContact = ({ user, name }: Contact): Suggestion[] =>
  user === null ? [] : [suggestPerson(user, name)];

export const suggestTag = ({ name, title }: Pick<Tag, 'name' | 'title'>): Suggestion => ({
  kind: 'tag',
  text: `*${name}`,
  title,
});
