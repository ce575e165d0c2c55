import type { Person } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { When } from '../../ui/when.tsx';

interface RestrictedPersonProps {
  person: Person;
  since: string;
  /** Whether their page can be opened: not that of a blocked person. */
  has_page: boolean;
  /** The label of the button that removes them. */
  label: string;
  onRelease: () => void;
}

/** A person in the list of blocked or muted people, since when, and a button to remove them. */
export function RestrictedPerson({ person, since, has_page, label, onRelease }: RestrictedPersonProps) {
  const name = <strong dir="auto">{nameOf(person)}</strong>;
  return (
    <li>
      <Avatar name={person.username} called={nameOf(person)} url={person.avatar_url} />
      <div className="list-main">
        <p>
          {has_page ? (
            <Link to="/u/$userId" params={{ userId: person.id }} className="person-link">
              {name}
            </Link>
          ) : (
            name
          )}{' '}
          <span className="soft small">
            <bdi>@{person.username}</bdi>
          </span>
        </p>
        <p className="soft small">
          <RichMessage text={i18n.t('since <when></when>')} parts={{ when: () => <When at={since} className="" /> }} />
        </p>
      </div>
      <button type="button" className="button quiet" onClick={onRelease}>
        {label}
        <span className="visually-hidden"> {nameOf(person)}</span>
      </button>
    </li>
  );
}
