type Row = { state: string; locked: boolean; dial_in_pin: string | null };

/**
 * How to dial in to a call, for people who are in it or may join it now.
 * @param own the viewer as a participant
 * @param viewer_id '' for what all people of the call see
 */
export function dialInOf(
  { state, locked, dial_in_pin: pin }: Row,
  own: { removed_at: Date | null } | undefined,
  viewer_id: string,
  number: string | undefined,
): { number: string; pin: string } | null {
  const may_join = viewer_id === '' || (own ? own.removed_at === null : !locked);
  return number && pin && state !== 'ended' && may_join ? { number, pin } : null;
}
