import type { ChatMessage } from '@asterism/sdk';
import { showChat } from './chat-message.ts';
import type { ShownMessage } from './chat-message.ts';

/** A message of a group as its chat shows it: the name and picture of whoever writes lead to their page. */
export function showInGroup(message: ChatMessage, reader_id: string | undefined): ShownMessage {
  const shown = showChat(message, reader_id);
  const username = message.author?.user?.username;
  return shown.by === undefined || username === undefined ? shown : { ...shown, by: { ...shown.by, username } };
}
