import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { TextField } from '../../ui/form.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { ContactAvatar } from '../contacts/contact-photo.tsx';
import { foundContactsKey, type Contact } from '../../data/queries/contact-queries.ts';
import { useGroupMutation } from '../../data/queries/group-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

const MAX_FOUND = 8;

interface FoundContactProps {
  contact: Contact;
  /** Whether the contact is in the group, and whether their account is, by the link. */
  is_added: boolean;
  has_joined: boolean;
  is_pending: boolean;
  onAdd: () => void;
}

function FoundContact({ contact, is_added, has_joined, is_pending, onAdd }: FoundContactProps) {
  return (
    <li>
      <ContactAvatar contact={contact} size_px={36} />
      <div className="list-main">
        <p dir="auto">{contact.name}</p>
        {contact.user === null ? null : (
          <p className="soft small">
            {is_added || has_joined
              ? `@${contact.user.username}`
              : i18n.t('@{username} · will be invited', { username: contact.user.username })}
          </p>
        )}
      </div>
      {/* The button remains after the member was added, and keeps the focus. */}
      <button
        type="button"
        className="button quiet"
        aria-disabled={is_added || is_pending}
        onClick={() => (is_added || is_pending ? undefined : onAdd())}
      >
        {is_added ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
        {is_added ? i18n.t('Added') : i18n.t('Add')}
        <span className="visually-hidden"> {contact.name}</span>
      </button>
    </li>
  );
}

/** Searches contacts, or shows the newest ones without a query, and adds them to the group. */
export function AddMembers({ group }: { group: Group }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: foundContactsKey('for-group', q),
    queryFn: ({ signal }) =>
      sdk.contacts.listContacts({ query: { limit: MAX_FOUND, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: keepPreviousData,
  });
  const added = new Set(group.members.map(({ contact_id }) => contact_id));
  // Somebody who joined by the link gets the place of the contact without an invite.
  const joined = new Set(group.members.map(({ user }) => user?.id));
  const add = useGroupMutation(
    ({ id }: Contact) => sdk.groups.addGroupMember({ path: { group_id: group.id, contact_id: id } }),
    ({ name, user }) =>
      user === null || joined.has(user.id) ? i18n.t('Added {name}.', { name }) : i18n.t('Invited {name}.', { name }),
  );
  return (
    <div className="card" role="search">
      <TextField
        label={i18n.t('Find a contact')}
        type="search"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        placeholder={i18n.t('Name, number or e-mail')}
        autoComplete="off"
      />
      <div aria-live="polite">
        {found.isError ? <p className="field-error">{describeProblem(found.error)}</p> : null}
        {found.data?.items.length === 0 ? (
          <p className="soft">
            {q === '' ? i18n.t('You have no contacts yet.') : i18n.t('No results.')}{' '}
            <Link to="/contacts">{i18n.t('Your contacts')}</Link>
          </p>
        ) : null}
      </div>
      <ul className="list" aria-label={i18n.t('Found')}>
        {found.data?.items.map((contact) => (
          <FoundContact
            key={contact.id}
            contact={contact}
            is_added={added.has(contact.id)}
            has_joined={contact.user !== null && joined.has(contact.user.id)}
            is_pending={add.isPending}
            onAdd={() => add.mutate(contact)}
          />
        ))}
      </ul>
    </div>
  );
}
