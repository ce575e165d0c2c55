import { drawConstellation, shorten, SKY, skyColours } from '@asterism/sdk';
import type { CSSProperties, ReactNode } from 'react';
import { Aster, AsterArms } from './aster.tsx';

/** The constellation of a name as a drawing. */
export function Net({ name }: { name: string }) {
  const { stars, lines, gold } = drawConstellation(name);
  return (
    <svg className="net" viewBox={`0 0 ${SKY.width} ${SKY.height}`} aria-hidden="true">
      {lines.map(([from, to]) => {
        const [one, other] = [stars[from], stars[to]];
        return one && other ? <line key={`${from}-${to}`} {...shorten(one, other)} /> : null;
      })}
      {stars.map(({ x, y, size }, index) =>
        index === gold ? (
          <svg key={x} className="g" x={x - 6} y={y - 6} width={12} height={12} viewBox="0 0 24 24">
            <AsterArms />
          </svg>
        ) : (
          <circle key={x} className="p" cx={x} cy={y} r={size} />
        ),
      )}
    </svg>
  );
}

/**
 * The two colours of a tag's sky as custom properties, dark enough for white text, and the length of its name, so that
 * a long one gets a smaller font instead of a line break.
 */
export function skyStyle(name: string): CSSProperties {
  const [lighter, darker] = skyColours(name);
  return { '--k1': lighter, '--k2': darker, '--letters': name.length } as CSSProperties;
}

/** A tag's picture: a rounded square with the sky of its name. Decorative: the name is next to it. */
export function TagSky({ name, size_px = 44 }: { name: string; size_px?: number }) {
  const style = { ...skyStyle(name), '--size': `${size_px}px` } as CSSProperties;
  return (
    <span className="sky" style={style} aria-hidden="true">
      <Net name={name} />
      <Aster />
    </span>
  );
}

interface TagCardProps {
  name: string;
  className?: string;
  children?: ReactNode;
}

/** A tag card: the sky of the tag with its name on it, and further content. */
export function TagCard({ name, className = 'tagcard', children }: TagCardProps) {
  return (
    <div className={`tagsky night ${className}`} style={skyStyle(name)}>
      <Net name={name} />
      <p className="tagname" dir="auto">
        <Aster />
        <span className="visually-hidden">*{name}</span>
        <bdi aria-hidden="true">{name}</bdi>
      </p>
      {children}
    </div>
  );
}
