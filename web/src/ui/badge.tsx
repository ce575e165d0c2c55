/** A count beside what it counts; nothing when there is nothing. */
export function Badge({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className="badge">
      {count > 99 ? '99+' : count}
      <span className="visually-hidden"> {what}</span>
    </span>
  );
}
