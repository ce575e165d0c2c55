import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Star, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { Main, PageHeading } from '../../ui/page.tsx';
import { PersonSkeleton } from '../people/person-skeleton.tsx';
import { gridQuery } from '../../data/queries/grid-query.ts';
import { PersonActions } from '../people/person-actions.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { ContactPhoto } from './contact-photo.tsx';
import { contactQuery, type Contact } from '../../data/queries/contact-queries.ts';
import { useContactMutation } from './use-contact-mutation.ts';
import { i18n } from '../../i18n/i18n.ts';
import { ContactDetails } from './contact-details.tsx';
import './contacts.css';

/** A switch for adding a contact to the favourites, who are called together. */
function StarButton({ contact }: { contact: Contact }) {
  const grid = useQuery(gridQuery);
  const is_favourite = grid.data?.members.some((tile) => tile.contact.id === contact.id) === true;
  const change = useContactMutation(
    ({ id }) =>
      is_favourite
        ? sdk.grid.removeFromGrid({ path: { contact_id: id } })
        : sdk.grid.addToGrid({ body: { contact_id: id } }),
    is_favourite ? undefined : i18n.t('{name} is in your favourites.', { name: contact.name }),
  );
  return (
    <button
      type="button"
      className="icon-button"
      aria-pressed={is_favourite}
      disabled={grid.data === undefined || change.isPending}
      onClick={() => change.mutate(contact)}
    >
      <Star aria-hidden="true" fill={is_favourite ? 'currentColor' : 'none'} />
      <span className="visually-hidden">{i18n.t('Favourite')}</span>
    </button>
  );
}

/** The actions on a contact. */
function ContactActions({ contact }: { contact: Contact }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asks, setAsks] = useState<'edit' | 'delete'>();
  const pencil = useRef<HTMLButtonElement>(null);
  const bin = useRef<HTMLButtonElement>(null);
  const remove = useContactMutation(
    async ({ id }) => {
      await sdk.contacts.deleteContact({ path: { contact_id: id } });
      await navigate({ to: '/contacts', replace: true });
      queries.removeQueries({ queryKey: contactQuery(id).queryKey });
    },
    i18n.t('{name} is deleted.', { name: contact.name }),
  );
  return (
    <div className="person-top">
      <Back />
      <StarButton contact={contact} />
      <button ref={pencil} type="button" className="icon-button" onClick={() => setAsks('edit')}>
        <Pencil aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Edit {name}', { name: contact.name })}</span>
      </button>
      <button ref={bin} type="button" className="icon-button" onClick={() => setAsks('delete')}>
        <Trash2 aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Delete {name}', { name: contact.name })}</span>
      </button>
      {asks === 'edit' ? (
        <ContactDialog contact={contact} onClose={() => setAsks(undefined)} returnTo={pencil} />
      ) : null}
      <ConfirmDialog
        open={asks === 'delete'}
        onClose={() => setAsks(undefined)}
        returnTo={bin}
        title={i18n.t('Delete {name}?', { name: contact.name })}
        text={i18n.t('They are removed from your groups and favourites, too.')}
        action={i18n.t('Delete')}
        onConfirm={() => remove.mutate(contact)}
      />
    </div>
  );
}

function Back() {
  return (
    <BackLink to="/contacts" is_beside_list>
      {i18n.t('Contacts')}
    </BackLink>
  );
}

/** One entry of the reader's address book. */
export function ContactPage() {
  const { contactId } = useParams({ from: '/signed-in/reading/people/contacts/$contactId' });
  const contact = useQuery(contactQuery(contactId));
  if (contact.data === undefined) {
    if (contact.isPending) return <PersonSkeleton back={<Back />} what={i18n.t('Loading the contact')} />;
    return (
      <MissingPage
        back={<Back />}
        error={contact.error}
        onRetry={() => void contact.refetch()}
        what={i18n.t('Contact')}
        title={i18n.t('Contact not found')}
        text={i18n.t('It may have been deleted on another device.')}
      >
        <Link to="/contacts" className="button primary">
          {i18n.t('All contacts')}
        </Link>
      </MissingPage>
    );
  }
  const { name } = contact.data;
  return (
    <Main className="page page-narrow person">
      <ContactActions contact={contact.data} />
      <header className="person-head">
        <ContactPhoto contact={contact.data} />
        <PageHeading title={name} />
        {contact.data.user !== null || contact.data.phones.length > 0 ? (
          <PersonActions
            name={contact.data.name}
            target={{ contact_id: contact.data.id }}
            user_id={contact.data.user?.id}
          />
        ) : null}
      </header>
      <section aria-labelledby="details-heading">
        <h2 id="details-heading" className="visually-hidden">
          {i18n.t('Details')}
        </h2>
        <ContactDetails contact={contact.data} />
      </section>
    </Main>
  );
}
