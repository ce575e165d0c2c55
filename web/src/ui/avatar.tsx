import type { Person } from '@asterism/sdk';
import type { CSSProperties } from 'react';

/** How somebody is called: the display name, else the username. */
export function nameOf(person: Pick<Person, 'username' | 'display_name'>): string {
  return person.display_name || person.username;
}

interface AvatarProps {
  name: string;
  url?: string | null | undefined;
  size_px?: number;
}

/** A picture, or the first letter on a colour that is always the same for a name. Decoration: the name stands beside it. */
export function Avatar({ name, url, size_px = 44 }: AvatarProps) {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 210);
  const style = { '--size': `${size_px}px`, '--hue': hue } as CSSProperties;
  return (
    <span className="avatar" style={style} aria-hidden="true">
      {url ? <img src={url} alt="" /> : ([...name][0] ?? '?')}
    </span>
  );
}
