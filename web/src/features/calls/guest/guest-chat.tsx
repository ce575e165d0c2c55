import { ChatComposer } from '../chat/chat-composer.tsx';
import { ChatLines } from '../chat/chat-lines.tsx';
import { useCallChat } from '../chat/chat-queries.ts';
import type { GuestClient } from './guest-session.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** How often a guest asks for what was written, in milliseconds. */
const ASK_EVERY_MS = 3_000;

interface GuestChatProps {
  join_code: string;
  client: GuestClient;
  guest_id: string | undefined;
}

/** The chat of the call for a guest: what was written since they came in. */
export function GuestChat({ join_code, client, guest_id }: GuestChatProps) {
  const chat = useCallChat(join_code, { enabled: true, client: client.sdk, asks_every_ms: ASK_EVERY_MS });
  return (
    <aside className="call-side" id="call-side" aria-label={i18n.t('Chat of the call')}>
      <div className="call-panel">
        <ChatLines chat={chat} reader_id={guest_id} />
        <ChatComposer join_code={join_code} client={client.sdk} />
      </div>
    </aside>
  );
}
