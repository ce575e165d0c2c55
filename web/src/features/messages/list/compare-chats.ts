/** What decides the position of a chat in the list. */
export interface ChatRank {
  readonly key: string;
  /** When its newest message was written. */
  readonly at: string;
  /** When it was pinned; empty if it is not. */
  readonly pinned_at: string;
}

/** An empty time is before all others. */
const timeOf = ({ at }: ChatRank): number => Date.parse(at) || 0;

/** Pinned chats first, the latest pin before the others; then by the newest message. */
export function compareChats(one: ChatRank, other: ChatRank): number {
  if (one.pinned_at !== other.pinned_at) return other.pinned_at.localeCompare(one.pinned_at);
  return one.pinned_at === '' ? timeOf(other) - timeOf(one) : one.key.localeCompare(other.key);
}
