import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Phone, Plus, Star } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { groupByLetter } from './by-letter.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { ContactAvatar } from './contact-photo.tsx';
import { foundContactsKey, type Contact } from '../../data/queries/contact-queries.ts';
import { ContactsMenu } from './contacts-menu.tsx';
import './contacts.css';
import { i18n } from '../../i18n/i18n.ts';

function CallButton({ contact }: { contact: Contact }) {
  const call = useStartCall();
  if (contact.user === null && contact.phones.length === 0) return null;
  return (
    <button
      type="button"
      className="icon-button"
      aria-disabled={call.isPending}
      onClick={() => {
        if (!call.isPending) call.mutate([{ contact_id: contact.id }]);
      }}
    >
      <Phone aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Call {name}', { name: contact.name })}</span>
    </button>
  );
}

function ContactItem({ contact, is_favourite }: { contact: Contact; is_favourite: boolean }) {
  const details = [
    ...contact.phones.map(({ number }) => formatPhone(number)),
    ...contact.emails.map(({ address }) => address),
  ];
  const instead = contact.tag_name === null ? i18n.t('No number yet') : `*${contact.tag_name}`;
  return (
    <li className="contact-row">
      <Link to="/contacts/$contactId" params={{ contactId: contact.id }} className="row">
        <Row
          picture={<ContactAvatar contact={contact} />}
          title={contact.name}
          detail={details.join(' · ') || instead}
          end={
            is_favourite ? (
              <span className="contact-star">
                <Star aria-hidden="true" fill="currentColor" />
                <span className="visually-hidden">{i18n.t('Favourite')}</span>
              </span>
            ) : undefined
          }
        />
      </Link>
      <CallButton contact={contact} />
    </li>
  );
}

/** The reader's address book. */
export function ContactsPage() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const [adds, setAdds] = useState(false);
  const favourites = new Set(useQuery(gridQuery).data?.members.map((tile) => tile.contact.id));
  const opener = useRef<HTMLButtonElement>(null);
  const list = useList<Contact>({
    queryKey: foundContactsKey('by-name', q),
    load: (page, signal) =>
      sdk.contacts.listContacts({ query: { ...page, sort: 'name', ...(q === '' ? {} : { q }) }, signal }),
  });
  return (
    <section className="card" aria-labelledby="contacts-heading">
      <h2 id="contacts-heading" className="visually-hidden">
        {i18n.t('Contacts')}
      </h2>
      <div className="contact-tools">
        <SearchField label={i18n.t('Search contacts')} text={typed} onText={setTyped} />
        <ContactsMenu is_empty={list.items.length === 0} />
        <button
          ref={opener}
          type="button"
          className="icon-button solid"
          title={i18n.t('Add')}
          onClick={() => setAdds(true)}
        >
          <Plus aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Add')}</span>
        </button>
      </div>
      {list.isPending ? <Skeleton what={i18n.t('Loading your contacts')} /> : null}
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          title={q === '' ? i18n.t('No contacts yet') : i18n.t('No results')}
          text={
            q === ''
              ? i18n.t('Add people you call, or import them from a file.')
              : i18n.t('Try another spelling, or a number.')
          }
          level={3}
        >
          {q === '' ? (
            <Link to="/contacts/import" className="button quiet">
              {i18n.t('Import')}
            </Link>
          ) : null}
        </EmptyState>
      ) : null}
      {groupByLetter(list.items).map(({ letter, contacts }) => (
        <section key={letter} className="contact-letter" aria-label={letter === '#' ? i18n.t('Other names') : letter}>
          <h3 aria-hidden="true">{letter}</h3>
          <ul>
            {contacts.map((contact) => (
              <ContactItem key={contact.id} contact={contact} is_favourite={favourites.has(contact.id)} />
            ))}
          </ul>
        </section>
      ))}
      <More list={list} what={i18n.t('contacts')} />
      {adds ? <ContactDialog onClose={() => setAdds(false)} returnTo={opener} /> : null}
    </section>
  );
}
