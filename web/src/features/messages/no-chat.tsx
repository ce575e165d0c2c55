import { EmptyState } from '../../ui/empty-state.tsx';

/** What stands beside the list while no chat is open. */
export function NoChat() {
  return (
    <div className="chat-error">
      <EmptyState title="Pick a chat" text="Choose a chat to read it here." />
    </div>
  );
}
