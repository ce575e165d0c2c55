import { i18n } from '../../../i18n/i18n.ts';
import { ChatPanel } from '../chat/chat-panel.tsx';
import type { GuestClient } from './guest-session.ts';

interface GuestChatProps {
  join_code: string;
  client: GuestClient;
  guest_id: string | undefined;
}

/** A guest's chat in the call: messages since they joined. */
export function GuestChat({ join_code, client, guest_id }: GuestChatProps) {
  return (
    <aside className="call-side" id="call-side" aria-label={i18n.t('Chat of the call')}>
      <div className="call-panel">
        <ChatPanel join_code={join_code} reader_id={guest_id} client={client.sdk} inside is_guest />
      </div>
    </aside>
  );
}
