import type { Contact } from '../../data/queries/contact-queries.ts';
import { locale } from '../../i18n/locale.ts';

/** The initial letter of a name, without case and accent; `#` for any other character. */
function letterOf(name: string): string {
  const [first = ''] = name.trim().normalize('NFD');
  return /\p{L}/u.test(first) ? first.toLocaleUpperCase(locale()) : '#';
}

/** Contacts sorted by name, grouped by initial letter. */
export function groupByLetter(contacts: readonly Contact[]): { letter: string; contacts: Contact[] }[] {
  const parts: { letter: string; contacts: Contact[] }[] = [];
  for (const contact of contacts) {
    const letter = letterOf(contact.name);
    const last = parts.at(-1);
    if (last?.letter === letter) last.contacts.push(contact);
    else parts.push({ letter, contacts: [contact] });
  }
  return parts;
}
