import { Copy, Forward, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCloseRequest } from '../../../ui/hooks/use-close-request.ts';
import { copyText } from '../../../ui/overlay/copy-text.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { formatDate } from '../../../i18n/format.ts';
import { summarise } from '../formatting/summarise.ts';
import type { ShownMessage } from '../chat-message.ts';
import { selectedOf } from './use-selection.ts';
import type { Selection } from './use-selection.ts';
import './selection.css';

/** What can be done with several messages of a chat. */
export interface SelectionActions {
  readonly selection: Selection;
  /** Asks where to forward them; undefined where nothing can be forwarded. */
  readonly onForward: ((messages: readonly ShownMessage[]) => void) | undefined;
  readonly onDelete: (messages: readonly ShownMessage[]) => void;
  /** Whether the reader may delete a message. */
  readonly mayDelete: (message: ShownMessage) => boolean;
}

/** The text of messages for the clipboard: of several with their times and authors. */
export function textOf(messages: readonly ShownMessage[]): string {
  const [first] = messages;
  if (messages.length === 1 && first !== undefined) return first.body === '' ? summarise(first) : first.body;
  return messages
    .map((message) => {
      const at = formatDate(message.created_at, { dateStyle: 'short', timeStyle: 'short' });
      const name = message.mine ? i18n.t('You') : (message.by?.name ?? '');
      return `[${at}] ${i18n.t('{name}: {words}', { name, words: summarise(message) })}`;
    })
    .join('\n');
}

interface BarButtonProps {
  label: string;
  icon: ReactNode;
  /** Why it is impossible now; undefined when it is possible. */
  refusal?: string | undefined;
  onPress: () => void;
}

function BarButton({ label, icon, refusal, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-disabled={refusal !== undefined}
      onClick={() => (refusal === undefined ? onPress() : showToast(refusal))}
    >
      {icon}
      <span className="visually-hidden">{label}</span>
    </button>
  );
}

/** The bar with what can be done with the selected messages. */
function SelectionBar({ selection, onForward, onDelete, mayDelete, messages }: SelectionActions & MessagesProps) {
  const chosen = selectedOf(messages, selection.ids);
  const copy = () => {
    void copyText(textOf(chosen), i18n.t('Copied.'));
    selection.end();
  };
  useCloseRequest(true, selection.end);
  return (
    <div className="thread-bar selection-bar" role="toolbar" aria-label={i18n.t('Selected messages')}>
      <BarButton label={i18n.t('Stop selecting')} icon={<X aria-hidden="true" />} onPress={selection.end} />
      <h1>
        <span role="status">
          {i18n.t('{count, plural, one {# selected} other {# selected}}', { count: chosen.length })}
        </span>
      </h1>
      {onForward === undefined ? null : (
        <BarButton
          label={i18n.t('Forward')}
          icon={<Forward aria-hidden="true" />}
          onPress={() => chosen.length > 0 && onForward(chosen)}
        />
      )}
      <BarButton label={i18n.t('Copy')} icon={<Copy aria-hidden="true" />} onPress={copy} />
      <BarButton
        label={i18n.t('Delete')}
        icon={<Trash2 aria-hidden="true" />}
        refusal={chosen.every(mayDelete) ? undefined : i18n.t('You can only delete your own messages.')}
        onPress={() => chosen.length > 0 && onDelete(chosen)}
      />
    </div>
  );
}

interface MessagesProps {
  /** Newest first. */
  messages: readonly ShownMessage[];
}

/** The top of a chat: its header, or the bar while messages are selected. The header stays, with what it has open. */
export function ChatTop({ children, ...bar }: SelectionActions & MessagesProps & { children: ReactNode }) {
  const is_on = bar.selection.ids.size > 0;
  return (
    <>
      <div hidden={is_on}>{children}</div>
      {is_on ? <SelectionBar {...bar} /> : null}
    </>
  );
}
