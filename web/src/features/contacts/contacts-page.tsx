import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp, Grid3x3, Pencil, Phone, Plus, Star, Trash2, Video } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { TextField } from '../../ui/form.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useStartCall } from '../calls/state/start-call.ts';
import { gridQuery } from '../grid/grid-query.ts';
import { ContactForm } from './contact-form.tsx';
import { ExportMenu } from './export-menu.tsx';
import { contactsKey, type Contact } from './contact-queries.ts';

/** What changes a contact in one step, and what is said when it did not. */
function useAct(work: (contact: Contact) => Promise<unknown>, done?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: () => (done === undefined ? undefined : showToast(done)),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () =>
      Promise.all(
        [contactsKey, gridQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })),
      ),
  });
}

/** What is done with a contact: called, written to, placed. */
function Reach({ contact }: { contact: Contact }) {
  const call = useStartCall();
  const place = useAct(({ id }) => sdk.grid.addToGrid({ body: { contact_id: id } }), 'It is among your favourites.');
  const can_call = contact.user !== null || contact.phones.length > 0;
  return (
    <>
      {can_call ? (
        <button
          type="button"
          className="button button-quiet button-icon"
          aria-disabled={call.isPending}
          onClick={() => {
            if (!call.isPending) call.mutate([{ contact_id: contact.id }]);
          }}
        >
          <Phone aria-hidden="true" />
          <span className="visually-hidden">Call {contact.name}</span>
        </button>
      ) : null}
      {contact.user === null ? null : (
        <Link
          to="/videomail/$handle"
          params={{ handle: contact.user.username }}
          className="button button-plain button-icon"
        >
          <Video aria-hidden="true" />
          <span className="visually-hidden">Send {contact.name} a videomail</span>
        </Link>
      )}
      <button type="button" className="button button-plain button-icon" onClick={() => place.mutate(contact)}>
        <Grid3x3 aria-hidden="true" />
        <span className="visually-hidden">Put {contact.name} into your favourites</span>
      </button>
    </>
  );
}

/** What is done to a contact. */
function Keep({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const remove = useAct(({ id }) => sdk.contacts.deleteContact({ path: { contact_id: id } }));
  const star = useAct(({ id, favourite }) =>
    sdk.contacts.editContact({ path: { contact_id: id }, body: { favourite: !favourite } }),
  );
  return (
    <>
      <button
        type="button"
        className="button button-plain button-icon"
        aria-pressed={contact.favourite}
        onClick={() => star.mutate(contact)}
      >
        <Star aria-hidden="true" fill={contact.favourite ? 'currentColor' : 'none'} />
        <span className="visually-hidden">Favourite: {contact.name}</span>
      </button>
      <button type="button" className="button button-plain button-icon" onClick={onEdit}>
        <Pencil aria-hidden="true" />
        <span className="visually-hidden">Edit {contact.name}</span>
      </button>
      <Confirm
        title={`Delete ${contact.name}?`}
        text="It goes from your groups and favourites, too."
        action="Delete"
        onConfirm={() => remove.mutate(contact)}
        trigger={
          <button type="button" className="button button-plain button-icon">
            <Trash2 aria-hidden="true" />
            <span className="visually-hidden">Delete {contact.name}</span>
          </button>
        }
      />
    </>
  );
}

function ContactItem({ contact, onEdit }: { contact: Contact; onEdit: () => void }) {
  const details = [...contact.phones.map(({ number }) => number), ...contact.emails.map(({ address }) => address)];
  const instead = contact.tag_name === null ? 'No number yet' : `*${contact.tag_name}`;
  return (
    <li>
      <Avatar name={contact.user?.username ?? contact.name} url={contact.user?.avatar_url} />
      <div className="list-main">
        <p>
          <strong dir="auto">{contact.name}</strong>{' '}
          {contact.user === null ? null : <span className="soft small">@{contact.user.username}</span>}
        </p>
        <p className="soft small">{details.join(' · ') || instead}</p>
      </div>
      <div className="cluster contact-acts">
        <Reach contact={contact} />
        <Keep contact={contact} onEdit={onEdit} />
      </div>
    </li>
  );
}

/** The reader's address book. */
export function ContactsPage() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const [edited, setEdited] = useState<Contact | 'new'>();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useList<Contact>({
    queryKey: [...contactsKey, q],
    load: (query, signal) => sdk.contacts.listContacts({ query: q === '' ? query : { ...query, q }, signal }),
  });
  return (
    <section className="card" aria-labelledby="contacts-heading">
      <div className="cluster cluster-apart">
        <h2 id="contacts-heading">Contacts</h2>
        <span className="cluster">
          <Link to="/contacts/import" className="button button-quiet">
            <FileUp aria-hidden="true" />
            Import
          </Link>
          {list.items.length === 0 ? null : <ExportMenu />}
          <button ref={opener} type="button" className="button" onClick={() => setEdited('new')}>
            <Plus aria-hidden="true" />
            Add
          </button>
        </span>
      </div>
      <TextField
        label="Find"
        type="search"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        placeholder="Name, number or e-mail"
      />
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          title={q === '' ? 'No contacts yet' : 'No results'}
          text={
            q === '' ? 'Add those whom you call, or import them from a file.' : 'Try another spelling, or a number.'
          }
          level={3}
        />
      ) : null}
      <ul className="list">
        {list.items.map((contact) => (
          <ContactItem key={contact.id} contact={contact} onEdit={() => setEdited(contact)} />
        ))}
      </ul>
      <More list={list} what="contacts" />
      <Dialog
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? 'New contact' : 'Edit contact'}
        returnTo={opener}
      >
        <ContactForm
          {...(edited === undefined || edited === 'new' ? {} : { contact: edited })}
          onSaved={() => setEdited(undefined)}
        />
      </Dialog>
    </section>
  );
}
