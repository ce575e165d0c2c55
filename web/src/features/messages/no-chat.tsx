import { EmptyState } from '../../ui/empty-state.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** What stands beside the list while no chat is open. */
export function NoChat() {
  return (
    <div className="chat-error">
      <EmptyState title={i18n.t('Pick a chat')} text={i18n.t('Choose a chat to read it here.')} />
    </div>
  );
}
