interface ConfirmationOptions {
  /** Messages of a chat that arrive within this time are confirmed with one request. */
  readonly gather_ms: number;
  /** Whether the account has read a message meanwhile, which needs no confirmation. */
  readonly isRead: (chat_id: string, up_to_id: string) => boolean;
  readonly send: (chat_id: string, up_to_id: string) => Promise<unknown>;
}

/** The confirmations of one account. */
export interface Confirmations {
  /** Confirms a message that this device has received, and with it the older ones of its chat. */
  readonly note: (chat_id: string, up_to_id: string) => void;
  readonly end: () => void;
}

/** Confirms up to which message of each chat this device has received them. */
export function createConfirmations({ gather_ms, isRead, send }: ConfirmationOptions): Confirmations {
  const confirmed = new Map<string, string>();
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    timer = undefined;
    for (const [chat_id, up_to_id] of waiting) {
      if (isRead(chat_id, up_to_id) || (confirmed.get(chat_id) ?? '') >= up_to_id) continue;
      confirmed.set(chat_id, up_to_id);
      // The next message, or the next list, confirms it again.
      send(chat_id, up_to_id).catch(() => confirmed.delete(chat_id));
    }
    waiting.clear();
  };
  return {
    note(chat_id, up_to_id) {
      if ((waiting.get(chat_id) ?? confirmed.get(chat_id) ?? '') >= up_to_id) return;
      waiting.set(chat_id, up_to_id);
      timer ??= setTimeout(tell, gather_ms);
    },
    end: () => clearTimeout(timer),
  };
}
