import type { Person } from '@asterism/sdk';
import type { CSSProperties } from 'react';

/** The displayed name of a person: the display name, else the username. */
export function nameOf(person: Pick<Person, 'username' | 'display_name'>): string {
  return person.display_name || person.username;
}

/** The informal name: the first word of the display name, if that is a name and no title or initial. */
export function firstNameOf(person: Pick<Person, 'username' | 'display_name'>): string {
  const name = nameOf(person);
  const [first = name] = name.trim().split(/\s+/u);
  return [...first].length < 3 || first.endsWith('.') ? name : first;
}

interface AvatarProps {
  /** The text that determines the colour: the username, if there is one. */
  name: string;
  /** The displayed name, if it is different: its first letter is shown. */
  called?: string | undefined;
  url?: string | null | undefined;
  size_px?: number;
  /** Shows the green dot of a person who is online. */
  is_online?: boolean;
  /** Shows the gold ring of a person in a call that others may join. */
  live?: boolean;
}

/** The hue of a name: stable, and different for most other names. */
export function hueOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 210);
}

/** A picture, or the first letter on a colour derived from the name. Decorative: the name is next to it. */
export function Avatar({ name, called = name, url, size_px = 44, is_online = false, live = false }: AvatarProps) {
  const style = { '--size': `${size_px}px`, '--hue': hueOf(name) } as CSSProperties;
  const [letter = '?'] = called.trim();
  return (
    <span className={live ? 'av avatar live' : 'av avatar'} style={style} aria-hidden="true">
      <span className={letter.toUpperCase() === letter.toLowerCase() ? 'face' : 'face cased'}>
        {url ? <img src={url} alt="" /> : letter}
      </span>
      {is_online ? <span className="dot" /> : null}
    </span>
  );
}
