interface BadgeProps {
  count: number;
  /** What is counted, for screen readers: "new messages". */
  what: string;
  /** Blue is for the reader, grey is muted, red is activity and missed calls. */
  tone?: 'muted' | 'red';
}

/** A count beside an icon or a row; nothing when it is 0. */
export function Badge({ count, what, tone }: BadgeProps) {
  if (count === 0) return null;
  return (
    <span className={tone === undefined ? 'badge' : `badge ${tone}`}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}
