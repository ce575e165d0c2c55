import type { Person } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { nameOf } from './avatar.tsx';
import { useListBeside } from './hooks/use-list-beside.ts';
import './person-link.css';

/** A person's name, linked to their page. */
export function PersonLink({ person }: { person: Person }) {
  return (
    <Link to="/u/$userId" params={{ userId: person.id }} state={useListBeside()} className="person-link" dir="auto">
      {nameOf(person)}
    </Link>
  );
}
