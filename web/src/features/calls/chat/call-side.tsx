import type { Call } from '@asterism/sdk';
import { Tabs } from 'radix-ui';
import { sdk } from '../../../asterism.ts';
import { ChatPanel } from './chat-panel.tsx';
import { People } from '../people.tsx';
import type { CallRole } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';

/** Those who are in the call or about to be; the list also has those who left or never came. */
const inCall = ({ participants }: Call) =>
  participants.filter(({ state }) => state === 'joined' || state === 'joining');

interface CallSideProps {
  call: Call;
  user_id: string | undefined;
  own_role: CallRole;
  /** Whether the reader has been connected. */
  inside: boolean;
}

/** The side panel of a call, or an overlay in a narrow window: chat and participants. */
export function CallSide({ call, user_id, own_role, inside }: CallSideProps) {
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
          conference_id={call.conference_id}
          reader_id={user_id}
          client={sdk}
          inside={inside}
          is_hosting={own_role !== 'guest'}
          chat_history={call.chat_history}
        />
      </Tabs.Content>
      <Tabs.Content value="people" className="call-panel call-people">
        <People call={call} user_id={user_id} own_role={own_role} />
      </Tabs.Content>
    </Tabs.Root>
  );
}
