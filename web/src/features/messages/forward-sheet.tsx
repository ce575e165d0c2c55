import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { RefObject } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { activeCallQuery } from '../../data/queries/call-queries.ts';
import { summarise } from '../chat/formatting/summarise.ts';
import type { ChatSource, ShownMessage } from '../chat/chat-message.ts';
import { hasWords } from '../chat/highlighted-text.tsx';
import { useOutbox } from '../chat/outbox-context.tsx';
import type { ForwardedFrom } from '../chat/unsent.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { useChatTargets } from './list/chat-targets.ts';
import type { ChatTarget } from './list/chat-targets.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { i18n } from '../../i18n/i18n.ts';

const MAX_CHATS = 5;

/** Possible targets: the call that the reader is in, and the chats of their list. */
function useTargets(): ReturnType<typeof useChatTargets> {
  const { threads, targets: listed } = useChatTargets();
  const me = useMe();
  const call = useQuery(activeCallQuery).data;
  if (call == null) return { threads, targets: listed };
  const names = call.participants.filter(({ state, user }) => state === 'joined' && user?.id !== me?.id);
  const name = i18n.t('This call');
  const picture = { name: names[0]?.name ?? name };
  const place = { kind: 'call' as const, id: call.join_code };
  return { threads, targets: [{ key: call.conference_id, name, picture, place }, ...listed] };
}

interface Part {
  readonly body: string;
  readonly media: ShownMessage['files'];
  readonly forward: ForwardedFrom;
}

/** A message as it is forwarded, with all of its files. */
const partOf = ({ id, body, files }: ShownMessage, from: ChatSource): Part => ({
  body,
  media: files,
  forward: { ...sourceOf(from), message_id: id },
});

/** The source without the guest: the service finds the conversation of a widget by the message. */
const sourceOf = (from: ChatSource) => ('widget_id' in from ? { widget_id: from.widget_id } : from);

interface ChoicesProps {
  targets: readonly ChatTarget[];
  chosen: ReadonlySet<string>;
  onChoose: (key: string) => void;
}

function Choices({ targets, chosen, onChoose }: ChoicesProps) {
  return (
    <ul className="sheet-rows" aria-label={i18n.t('Chats')}>
      {targets.map(({ key, name, picture }) => {
        const is_chosen = chosen.has(key);
        return (
          <li key={key}>
            <label className="row press">
              <Row
                picture={<Avatar {...picture} />}
                title={name}
                end={
                  <input
                    type="checkbox"
                    className="choice"
                    checked={is_chosen}
                    aria-disabled={!is_chosen && chosen.size >= MAX_CHATS}
                    onChange={() => onChoose(key)}
                  />
                }
              />
            </label>
          </li>
        );
      })}
    </ul>
  );
}

interface ForwardSheetProps {
  from: ChatSource;
  /** Oldest first. */
  messages: readonly ShownMessage[];
  onClose: () => void;
  /** Called once they are forwarded. */
  onDone?: (() => void) | undefined;
  returnTo: RefObject<HTMLElement | null>;
}

/** Selects the chats to which messages are forwarded. */
export function ForwardSheet({ from, messages, onClose, onDone, returnTo }: ForwardSheetProps) {
  const { threads, targets } = useTargets();
  const outbox = useOutbox();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const shown = asked === '' ? targets : targets.filter(({ name }) => hasWords(name, asked));
  const send = () => {
    if (outbox === undefined || chosen.size === 0) return;
    const to = targets.filter(({ key }) => chosen.has(key));
    for (const { place } of to) for (const message of messages) outbox.add(place, partOf(message, from));
    const [first] = to;
    showToast(
      to.length === 1 && first !== undefined
        ? i18n.t('Forwarded to {name}.', { name: first.name })
        : i18n.t('{count, plural, one {Forwarded to # chat.} other {Forwarded to # chats.}}', { count: to.length }),
    );
    onDone?.();
    onClose();
  };
  const [first_message] = messages;
  const onChoose = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      if (next.size >= MAX_CHATS) return showToast(i18n.t('Choose up to {max} chats.', { max: MAX_CHATS }));
      next.add(key);
    }
    choose(next);
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={i18n.t('Forward to')}
      returnTo={returnTo}
      action={
        <button type="button" className="button primary small" aria-disabled={chosen.size === 0} onClick={send}>
          {chosen.size === 0 ? i18n.t('Send') : i18n.t('Send to {count}', { count: chosen.size })}
        </button>
      }
    >
      <p className="forwarding cut" dir="auto">
        {messages.length === 1 && first_message !== undefined
          ? summarise(first_message)
          : i18n.t('{count, plural, one {# message} other {# messages}}', { count: messages.length })}
      </p>
      <SearchField label={i18n.t('Search your chats')} text={text} onText={setText} />
      {threads.isPending ? <Skeleton rows={3} what={i18n.t('Loading your chats')} /> : null}
      {threads.isSuccess && shown.length === 0 ? (
        <p className="talk-note" role="status">
          {asked === '' ? i18n.t('No chats to forward to yet.') : i18n.t('No results for “{asked}”.', { asked })}
        </p>
      ) : null}
      <Choices targets={shown} chosen={chosen} onChoose={onChoose} />
    </Sheet>
  );
}
