import type { Contact } from './contact-queries.ts';
import { locale } from '../../i18n/locale.ts';

/** The letter that a name stands under, without case and accent; `#` for what begins with no letter. */
function letterOf(name: string): string {
  const [first = ''] = name.trim().normalize('NFD');
  return /\p{L}/u.test(first) ? first.toLocaleUpperCase(locale()) : '#';
}

/** Contacts in the order of their names, in one part for each letter. */
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
