import { Link } from '@tanstack/react-router';
import { Avatar } from '../../ui/avatar.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { Row } from '../../ui/row.tsx';
import type { FoundPerson } from '../commands/command-options.ts';
import { i18n } from '../../i18n/i18n.ts';

/** People among the results: those in the reader's chats and contacts, and whoever has the text as a username. */
export function FoundPeople({ people }: { people: readonly FoundPerson[] }) {
  const beside = useListBeside();
  if (people.length === 0) return null;
  return (
    <section className="card" aria-labelledby="found-people">
      <h2 id="found-people">{i18n.t('People')}</h2>
      <ul>
        {people.map(({ key, name, detail, picture, href }) => (
          <li key={key}>
            <Link to={href} state={beside} className="row">
              <Row picture={<Avatar {...picture} />} title={name} detail={detail} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
