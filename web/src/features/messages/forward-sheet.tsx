import { useDeferredValue, useState } from 'react';
import type { RefObject } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { summarise } from '../chat/chat-message.ts';
import type { ChatPlace, ShownMessage } from '../chat/chat-message.ts';
import { hasWords } from '../chat/marked.tsx';
import { useOutbox } from '../chat/outbox-context.tsx';
import type { ForwardedFrom } from '../chat/outbox.ts';
import { useChats } from './list/chat-list.tsx';
import type { SetChat } from './chat-menu.tsx';
import { keyOf, nameOfEntry } from './list/chat-rows.tsx';
import type { Entry } from './list/chat-rows.tsx';
import { SearchLine } from './message-search.tsx';
import { i18n } from '../../i18n/i18n.ts';

const MOST_CHATS = 5;

/** Whether something can be written there. */
const isOpen = (entry: Entry): boolean =>
  entry.kind === 'group' || (entry.kind === 'thread' && entry.thread.state === 'active' && !entry.thread.peer_gone);

const pictureOf = (entry: Entry): { name: string; url?: string | null } =>
  entry.kind === 'thread'
    ? { name: entry.thread.peer.username, url: entry.thread.peer.avatar_url }
    : entry.kind === 'group'
      ? { name: entry.chat.group.name, url: entry.chat.group.avatar_url }
      : { name: entry.chat.guest.name };

interface Part {
  readonly body: string;
  readonly media: ShownMessage['files'];
  readonly forward: ForwardedFrom;
}

/** What is sent to a place: one message, or in a group one for each file. */
function partsFor(place: ChatPlace, { id, body, files }: ShownMessage, from: SetChat): Part[] {
  const forward = { ...from, message_id: id };
  if (place.kind !== 'group' || files.length < 2) return [{ body, media: files, forward }];
  return files.map((file, at) => ({
    body: at === 0 ? body : '',
    media: [file],
    forward: { ...forward, file_id: file.id },
  }));
}

interface ChoicesProps {
  entries: readonly Entry[];
  chosen: ReadonlySet<string>;
  onChoose: (key: string) => void;
}

function Choices({ entries, chosen, onChoose }: ChoicesProps) {
  return (
    <ul className="sheet-rows" aria-label={i18n.t('Chats')}>
      {entries.map((entry) => {
        const key = keyOf(entry);
        const is_chosen = chosen.has(key);
        return (
          <li key={key}>
            <label className="row press">
              <Row
                picture={<Avatar {...pictureOf(entry)} />}
                title={nameOfEntry(entry)}
                end={
                  <input
                    type="checkbox"
                    className="choice"
                    checked={is_chosen}
                    aria-disabled={!is_chosen && chosen.size >= MOST_CHATS}
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
  from: SetChat;
  message: ShownMessage;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Chooses the chats to which a message is sent on. */
export function ForwardSheet({ from, message, onClose, returnTo }: ForwardSheetProps) {
  const { threads, entries } = useChats(false);
  const outbox = useOutbox();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const open = entries.filter(isOpen);
  const shown = asked === '' ? open : open.filter((entry) => hasWords(nameOfEntry(entry), asked));
  const send = () => {
    if (outbox === undefined || chosen.size === 0) return;
    const to = open.filter((entry) => chosen.has(keyOf(entry)));
    for (const entry of to) {
      const place: ChatPlace = { kind: entry.kind === 'thread' ? 'thread' : 'group', id: keyOf(entry) };
      for (const part of partsFor(place, message, from)) outbox.add(place, part);
    }
    const [first] = to;
    showToast(
      to.length === 1 && first !== undefined
        ? i18n.t('Forwarded to {name}.', { name: nameOfEntry(first) })
        : i18n.t('{count, plural, one {Forwarded to # chat.} other {Forwarded to # chats.}}', { count: to.length }),
    );
    onClose();
  };
  const onChoose = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      if (next.size >= MOST_CHATS) return showToast(i18n.t('Choose {most} chats at the most.', { most: MOST_CHATS }));
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
        <button type="button" className="btn primary" aria-disabled={chosen.size === 0} onClick={send}>
          {chosen.size === 0 ? i18n.t('Send') : i18n.t('Send to {count}', { count: chosen.size })}
        </button>
      }
    >
      <p className="forwarding cut" dir="auto">
        {summarise(message)}
      </p>
      <SearchLine label={i18n.t('Search your chats')} text={text} onText={setText} />
      {threads.isPending ? <Skeleton rows={3} what={i18n.t('Fetching your chats')} /> : null}
      {threads.isSuccess && shown.length === 0 ? (
        <p className="talk-note" role="status">
          {asked === '' ? i18n.t('No chats to forward to yet.') : i18n.t('No results for “{asked}”.', { asked })}
        </p>
      ) : null}
      <Choices entries={shown} chosen={chosen} onChoose={onChoose} />
    </Sheet>
  );
}
