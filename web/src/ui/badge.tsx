interface BadgeProps {
  count: number;
  /** What is counted, for those who do not see where the badge stands: "new messages". */
  what: string;
  /** Blue is for the reader, grey is muted, red is activity and what was missed. */
  tone?: 'muted' | 'red';
}

/** A count beside what it counts; nothing when there is nothing. */
export function Badge({ count, what, tone }: BadgeProps) {
  if (count === 0) return null;
  return (
    <span className={tone === undefined ? 'badge' : `badge ${tone}`}>
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}
