import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { TextField } from '../../ui/form.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { contactsKey, type Contact } from '../contacts/contact-queries.ts';
import { useGroupAct } from './group-queries.ts';
import type { Group } from './group-queries.ts';

const MOST_FOUND = 8;

/** Finds contacts by what is typed, the newest while nothing is, and puts them into the group. */
export function AddMembers({ group }: { group: Group }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: [...contactsKey, 'for-group', q],
    queryFn: ({ signal }) =>
      sdk.contacts.listContacts({ query: { limit: MOST_FOUND, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: keepPreviousData,
  });
  const add = useGroupAct(
    ({ id }: Contact) => sdk.groups.addGroupMember({ path: { group_id: group.id, contact_id: id } }),
    ({ name, user }) => (user === null ? `${name} is in it.` : `${name} is asked.`),
  );
  const members = new Set(group.members.map(({ contact_id }) => contact_id));
  return (
    <section className="card" aria-labelledby="add-heading" role="search">
      <h2 id="add-heading">Add from your contacts</h2>
      <TextField
        label="Find a contact"
        type="search"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        placeholder="Name, number or e-mail"
        autoComplete="off"
      />
      <div aria-live="polite">
        {found.isError ? <p className="field-error">{describeProblem(found.error)}</p> : null}
        {found.data?.items.length === 0 ? (
          <p className="soft">
            {q === '' ? 'You have no contacts yet. ' : 'No results. '}
            <Link to="/contacts">Your contacts</Link>
          </p>
        ) : null}
      </div>
      <ul className="list" aria-label="Found">
        {found.data?.items.map((contact) => {
          const is_in = members.has(contact.id);
          return (
            <li key={contact.id}>
              <Avatar name={contact.user?.username ?? contact.name} url={contact.user?.avatar_url} size_px={36} />
              <div className="list-main">
                <p dir="auto">{contact.name}</p>
                {contact.user === null ? null : (
                  <p className="soft small">
                    @{contact.user.username}
                    {is_in ? '' : ', will be asked'}
                  </p>
                )}
              </div>
              {/* It stays where it is when it has done its work, and keeps the focus. */}
              <button
                type="button"
                className="button button-quiet"
                aria-disabled={is_in || add.isPending}
                onClick={() => (is_in || add.isPending ? undefined : add.mutate(contact))}
              >
                {is_in ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
                {is_in ? 'Added' : 'Add'}
                <span className="visually-hidden"> {contact.name}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
