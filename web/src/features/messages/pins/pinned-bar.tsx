import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import type { MemberChat } from '../../chat/chat-message.ts';
import { excerptOf } from '../../chat/formatting/excerpt.ts';
import { usePin, usePinEvents, usePinned } from './pins-query.ts';
import './pins.css';

interface PinnedBarProps {
  chat: MemberChat;
  /** Whether the reader may unpin. */
  may_pin: boolean;
  /** Shows a message of the chat. */
  goTo: (message_id: string) => void;
}

/** The pinned messages of a chat, one at a time: pressing it shows the message, and then the one that was pinned before it. */
export function PinnedBar({ chat, may_pin, goTo }: PinnedBarProps) {
  const pinned = usePinned(chat);
  const pin = usePin(chat);
  const [turn, setTurn] = useState(0);
  usePinEvents(chat);
  const at = turn < pinned.length ? turn : 0;
  const shown = pinned[at];
  if (shown === undefined) return null;
  const count = pinned.length;
  return (
    <section className="pinned-bar" aria-label={i18n.t('Pinned messages')}>
      <button
        type="button"
        className="pinned-message"
        onClick={() => {
          goTo(shown.id);
          setTurn((at + 1) % count);
        }}
      >
        <Pin aria-hidden="true" />
        <span className="pinned-words">
          <span className="pinned-title">
            {count === 1
              ? i18n.t('Pinned message')
              : i18n.t('Pinned message {number} of {count}', { number: count - at, count })}
          </span>
          <span className="cut" dir="auto">
            {excerptOf({ ...shown, deleted: false })}
          </span>
        </span>
      </button>
      {may_pin ? (
        <button type="button" className="icon-button" title={i18n.t('Unpin')} onClick={() => pin(shown, false)}>
          <PinOff aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Unpin')}</span>
        </button>
      ) : null}
    </section>
  );
}
