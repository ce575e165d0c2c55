import type { CSSProperties, ReactNode } from 'react';

interface BlockProps {
  width?: string;
  height?: string;
  round?: boolean;
}

/** One grey placeholder shape. */
export function SkeletonBlock({ width = '100%', height = '16px', round = false }: BlockProps) {
  return (
    <span
      aria-hidden="true"
      className={round ? 'skel c' : 'skel'}
      style={{ width, height, flex: 'none' } as CSSProperties}
    />
  );
}

function SkeletonRow({ index }: { index: number }) {
  return (
    <div className="row" aria-hidden="true">
      <SkeletonBlock width="44px" height="44px" round />
      <span className="body" style={{ display: 'grid', gap: 8 }}>
        <SkeletonBlock width={`${38 + ((index * 17) % 30)}%`} />
        <SkeletonBlock width={`${56 + ((index * 23) % 34)}%`} height="12px" />
      </span>
    </div>
  );
}

/** Placeholder rows while a list is loading, with a text for screen readers. */
export function Skeleton({ rows = 6, what }: { rows?: number; what: string }) {
  return (
    <div className="skeletons" role="status">
      <span className="visually-hidden">{what}</span>
      {Array.from({ length: rows }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholder shapes have no other key than their position
        <SkeletonRow key={index} index={index} />
      ))}
    </div>
  );
}

interface PageSkeletonProps {
  what: string;
  narrow?: boolean;
  /** The page's back arrow, so that nobody has to wait. */
  back: ReactNode;
}

/** The placeholder of a whole page, in its column. */
export function PageSkeleton({ what, narrow = false, back }: PageSkeletonProps) {
  return (
    <div className={narrow ? 'page page-narrow' : 'page'}>
      <div className="page-head">
        {back}
        <SkeletonBlock width="40%" height="28px" />
      </div>
      <Skeleton rows={5} what={what} />
    </div>
  );
}
