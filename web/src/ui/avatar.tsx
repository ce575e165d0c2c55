import type { Person } from '@asterism/sdk';
import type { CSSProperties } from 'react';

/** How somebody is called: the display name, else the username. */
export function nameOf(person: Pick<Person, 'username' | 'display_name'>): string {
  return person.display_name || person.username;
}

/** How a friend calls them: the first word of the display name, where that is a name and no title or initial. */
export function firstNameOf(person: Pick<Person, 'username' | 'display_name'>): string {
  const name = nameOf(person);
  const [first = name] = name.trim().split(/\s+/u);
  return [...first].length < 3 || first.endsWith('.') ? name : first;
}

interface AvatarProps {
  /** What the colour is of: the username, where there is one. */
  name: string;
  /** How they are called beside it, where that is another name: its first letter is shown. */
  called?: string | undefined;
  url?: string | null | undefined;
  size_px?: number;
  /** Shows the green dot of somebody who can be reached now. */
  reachable?: boolean;
  /** Shows the gold ring of somebody who is in a call that others may join. */
  live?: boolean;
}

/** The colour of a name, as a hue: always the same, and another one for most others. */
export function hueOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 210);
}

/** A picture, or the first letter on a colour that is always the same for a name. Decoration: the name stands beside it. */
export function Avatar({ name, called = name, url, size_px = 44, reachable = false, live = false }: AvatarProps) {
  const style = { '--size': `${size_px}px`, '--hue': hueOf(name) } as CSSProperties;
  return (
    <span className={live ? 'av avatar live' : 'av avatar'} style={style} aria-hidden="true">
      <span className="face">{url ? <img src={url} alt="" /> : ([...called.trim()][0] ?? '?')}</span>
      {reachable ? <span className="dot" /> : null}
    </span>
  );
}
