import type { Call } from '@asterism/sdk';
import { Tabs } from 'radix-ui';
import { ChatPanel } from './chat-panel.tsx';
import { People } from '../people.tsx';
import { useCallReader } from '../state/call-reader.ts';
import type { CallRole } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';

/** Those who are in the call or about to be; the list also has those who left or never came. */
const inCall = ({ participants }: Call) =>
  participants.filter(({ state }) => state === 'joined' || state === 'joining');

interface CallSideProps {
  call: Call;
  own_role: CallRole;
  /** Whether the reader has been connected. */
  inside: boolean;
}

/** The side panel of a call, or an overlay in a narrow window: chat and participants. */
export function CallSide({ call, own_role, inside }: CallSideProps) {
  const { id, client, has_account } = useCallReader();
  return (
    <Tabs.Root dir={pageDirection()} defaultValue="chat" className="call-side" id="call-side">
      <Tabs.List className="seg tabs" aria-label={i18n.t('Side panel')}>
        <Tabs.Trigger value="chat">{i18n.t('Chat')}</Tabs.Trigger>
        <Tabs.Trigger value="people">
          {i18n.t('People')} <span className="soft">{inCall(call).length}</span>
        </Tabs.Trigger>
      </Tabs.List>
      {/* Kept while hidden, so that a half-written message is not lost. */}
      <Tabs.Content value="chat" className="call-panel" forceMount>
        <ChatPanel
          join_code={call.join_code}
          reader_id={id}
          client={client}
          inside={inside}
          {...(has_account ? { conference_id: call.conference_id } : { is_guest: true })}
          is_hosting={own_role !== 'guest'}
          chat_history={call.chat_history}
        />
      </Tabs.Content>
      <Tabs.Content value="people" className="call-panel call-people">
        <People call={call} own_role={own_role} />
      </Tabs.Content>
    </Tabs.Root>
  );
}
