import type { ShownMessage } from '../chat-message.ts';

/** Who reacted to a message; each change of its reactions makes another list of them. */
export const reactionsKey = ({ id, reactions }: ShownMessage, emoji: string | undefined) =>
  ['message-reactions', id, reactions.map((one) => one.emoji + one.count).join(' '), emoji] as const;
