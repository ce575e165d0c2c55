import type { Person } from '@asterism/sdk';
import { X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { ReactNode } from 'react';
import { copyText } from '../../../ui/overlay/copy-text.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { TextField } from '../../../ui/form.tsx';
import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useShareEvent } from '../calendar-mutations.ts';
import type { CalendarEvent } from '../calendar-queries.ts';
import { useFoundPeople } from './find-people.ts';
import { i18n } from '../../../i18n/i18n.ts';

const MAX_PEOPLE = 50;

function PersonRow({ person, action }: { person: Person; action: ReactNode }) {
  return (
    <li className="cal-person">
      <Avatar name={person.username} called={nameOf(person)} url={person.avatar_url} size_px={36} />
      <span>
        <bdi>{nameOf(person)}</bdi>{' '}
        <span className="soft small">
          <bdi>@{person.username}</bdi>
        </span>
      </span>
      {action}
    </li>
  );
}

interface AddProps {
  people: readonly Person[];
  is_busy: boolean;
  onAdd: (person: Person) => void;
}

function AddPeople({ people, is_busy, onAdd }: AddProps) {
  const [typed, setTyped] = useState('');
  const found = useFoundPeople(useDeferredValue(typed.trim()));
  const others = found.people.filter(({ id }) => people.every((one) => one.id !== id));
  const is_full = people.length >= MAX_PEOPLE;
  return (
    <div role="search" className="stack-small">
      <TextField
        label={i18n.t('Add people')}
        type="search"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        placeholder={i18n.t('A name, or a *tag')}
        autoComplete="off"
        hint={is_full ? i18n.t('At most {max} people.', { max: MAX_PEOPLE }) : undefined}
      />
      <p role="status" className="soft small">
        {typed.trim() !== '' && !found.is_pending && others.length === 0
          ? i18n.t('No results. Try their tag, or add them to your contacts first.')
          : ''}
      </p>
      <ul aria-label={i18n.t('Found')}>
        {others.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            action={
              <button
                type="button"
                className="button quiet small"
                aria-label={i18n.t('Share with {name}', { name: nameOf(person) })}
                disabled={is_busy || is_full}
                onClick={() => {
                  setTyped('');
                  onAdd(person);
                }}
              >
                {i18n.t('Share')}
              </button>
            }
          />
        ))}
      </ul>
    </div>
  );
}

/** Who may see an event: named people, and everyone with its link. Changes are saved at once. */
export function ShareSheet({ event, onClose }: { event: CalendarEvent; onClose: () => void }) {
  const share = useShareEvent(event.id);
  const people = event.share?.people ?? [];
  const url = event.share?.url ?? null;
  const put = (next: readonly Person[], is_public: boolean) =>
    share.mutate({ people: next.map(({ id }) => id), is_public });
  return (
    <Sheet open onClose={onClose} title={i18n.t('Share event')}>
      <AddPeople people={people} is_busy={share.isPending} onAdd={(person) => put([...people, person], url !== null)} />
      {people.length === 0 && url === null ? <p className="soft">{i18n.t('Only you can see it.')}</p> : null}
      {people.length === 0 ? null : (
        <ul aria-label={i18n.t('Shared with')}>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              action={
                <button
                  type="button"
                  className="icon-button"
                  disabled={share.isPending}
                  onClick={() =>
                    put(
                      people.filter(({ id }) => id !== person.id),
                      url !== null,
                    )
                  }
                >
                  <X aria-hidden="true" />
                  <span className="visually-hidden">
                    {i18n.t('Stop sharing with {name}', { name: nameOf(person) })}
                  </span>
                </button>
              }
            />
          ))}
        </ul>
      )}
      <Switch
        label={i18n.t('Anyone with the link')}
        hint={i18n.t('Opens a page with the event. No account needed.')}
        on={url !== null}
        disabled={share.isPending}
        onSwitch={() => put(people, url === null)}
      />
      {url === null ? null : (
        <div className="cal-actions">
          <button type="button" className="button primary" onClick={() => void copyText(url, i18n.t('Link copied.'))}>
            {i18n.t('Copy link')}
          </button>
          <a className="button quiet" href={`${url}.ics`} download>
            {i18n.t('Download as a file')}
          </a>
        </div>
      )}
    </Sheet>
  );
}
