import { Link } from '@tanstack/react-router';
import { Check, CheckCheck, Clock, Reply } from 'lucide-react';
import type { CSSProperties, MouseEvent } from 'react';
import { Avatar, hueOf } from '../../../ui/avatar.tsx';
import { useListBeside } from '../../../ui/hooks/use-list-beside.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import type { PlacedMessage } from '../arrange-messages.ts';
import type { ShownMessage, Writer } from '../chat-message.ts';
import { clockTime } from '../../../i18n/clock-time.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { formatDateTime } from '../../../i18n/format.ts';
import { isVoice, MessageContent, type QuotedProps } from './message-content.tsx';
import { Reactions } from './reactions.tsx';
import { isForBrowser } from './is-for-browser.ts';
import { MessageMenu } from './message-menu.tsx';
import type { MessageAction } from './message-menu.tsx';
import { useSwipeReply } from './use-swipe-reply.ts';

/** The delivery state of the reader's own message: one tick, two, or two in colour, and a text for screen readers. */
export function Ticks({ delivery }: { delivery: NonNullable<ShownMessage['delivery']> }) {
  const Icon = delivery === 'sent' ? Check : CheckCheck;
  const words = { sent: i18n.t('Sent'), delivered: i18n.t('Delivered'), read: i18n.t('Read') }[delivery];
  return (
    <span className="ticks" data-delivery={delivery} title={words}>
      <Icon aria-hidden="true" size={16} />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

const STATE_WORDS = {
  get sending() {
    return i18n.t('Sending');
  },
  get waiting() {
    return i18n.t('Waiting for a connection');
  },
  get refused() {
    return i18n.t('Not sent');
  },
} as const;

/** A clock on what the service does not have yet. */
export function PendingMark({ state }: { state: keyof typeof STATE_WORDS }) {
  return (
    <>
      <Clock aria-hidden="true" size={14} />
      <span className="visually-hidden">{STATE_WORDS[state]}</span>
    </>
  );
}

function BubbleFooter({ message, onHistory }: { message: ShownMessage; onHistory?: BubbleProps['onHistory'] }) {
  return (
    <span className="at">
      {!message.edited || message.deleted ? null : onHistory === undefined ? (
        i18n.t('Edited')
      ) : (
        <button type="button" className="msg-edited" onClick={() => onHistory(message)}>
          {i18n.t('Edited')}
        </button>
      )}
      <time dateTime={message.created_at} title={formatDateTime(message.created_at)}>
        {clockTime(message.created_at)}
      </time>
      {message.pending === undefined ? null : <PendingMark state={message.pending} />}
      {message.mine && !message.deleted && message.pending === undefined ? (
        <Ticks delivery={message.delivery ?? 'sent'} />
      ) : null}
    </span>
  );
}

/** The picture of the author beside the last message of a run; their name, which is read out, leads to the same page. */
function WriterPicture({ by }: { by: Writer }) {
  return (
    <Link
      to="/u/$userId"
      params={{ userId: by.id }}
      state={useListBeside()}
      className="msg-picture"
      aria-hidden="true"
      tabIndex={-1}
    >
      <Avatar name={by.username ?? by.name} called={by.name} url={by.avatar_url} size_px={30} />
    </Link>
  );
}

interface WriterNameProps {
  by: Writer;
  name: string;
  /** Whether it is shown, and not only read out. */
  is_shown: boolean;
}

/** The name of the author above the first message of a run, which leads to their page. */
function WriterName({ by, name, is_shown }: WriterNameProps) {
  const beside = useListBeside();
  const look = { style: { '--hue': hueOf(name) } as CSSProperties, dir: 'auto' } as const;
  if (!is_shown || by.username === undefined)
    return (
      <span {...look} className={is_shown ? 'msg-by' : 'visually-hidden'}>
        {name}{' '}
      </span>
    );
  return (
    <Link {...look} to="/u/$userId" params={{ userId: by.id }} state={beside} className="msg-by">
      {name}{' '}
    </Link>
  );
}

interface BubbleProps extends QuotedProps {
  placed: PlacedMessage;
  /** In a group the name is above the first message of a run; in a thread it is for screen readers only. */
  is_group: boolean;
  actions: readonly MessageAction[];
  /** Undefined where there are no reactions: in the chats of widgets. */
  onReact?: ((message: ShownMessage, emoji: string | null) => void) | undefined;
  /** Shows who reacted to the message; undefined where that is not asked. */
  onWho?: ((message: ShownMessage, emoji: string) => void) | undefined;
  /** Shows earlier versions of the message. */
  onHistory?: ((message: ShownMessage) => void) | undefined;
}

/** One message, or the placeholder of a deleted one. */
export function Bubble({
  placed: { message, is_first, is_last },
  is_group,
  actions,
  quoted,
  onQuoted,
  onReact,
  onWho,
  onHistory,
}: BubbleProps) {
  const menu = useMenu();
  const hold = useLongPress(menu.open, isForBrowser);
  const reply = message.deleted ? undefined : actions.find(({ is_reply }) => is_reply);
  const swipe = useSwipeReply(reply && (() => reply.onSelect(menu.trigger.ref)));
  const react = onReact === undefined ? undefined : (emoji: string | null) => onReact(message, emoji);
  const { by, mine, body, files, deleted } = message;
  const name = mine ? i18n.t('You') : (by?.name ?? 'Asterism');
  if (by === undefined) {
    return (
      <p className="event" dir="auto">
        {body}
      </p>
    );
  }
  const is_pictured = is_group && !mine && by.username !== undefined;
  const has_menu = !deleted && actions.length > 0;
  const stamp =
    is_last || message.edited || message.pending !== undefined ? (
      <BubbleFooter message={message} onHistory={onHistory} />
    ) : null;
  const is_in_player = !deleted && isVoice(message);
  const look = ['msg', mine ? 'out' : '', is_first ? 'first' : '', is_last ? 'last' : ''].join(' ');
  return (
    <div
      className={['msg-line', reply === undefined ? '' : 'swipes', is_pictured ? 'pictured' : ''].join(' ')}
      data-mine={mine ? '' : undefined}
      {...swipe.props}
      onDoubleClick={(event: MouseEvent) => {
        // Beside the bubble: in it, a double click selects a word.
        if (event.target === event.currentTarget) reply?.onSelect(menu.trigger.ref);
      }}
    >
      {swipe.side === undefined ? null : <Reply aria-hidden="true" className="swipe-sign" data-side={swipe.side} />}
      <div className={files.length > 0 && !deleted ? `${look} photo` : look} {...(has_menu ? hold : {})}>
        {is_pictured && is_last ? <WriterPicture by={by} /> : null}
        <WriterName by={by} name={name} is_shown={is_group && !mine && is_first} />
        {deleted ? (
          <span className="msg-gone">{i18n.t('Message deleted')}</span>
        ) : (
          <MessageContent
            message={message}
            quoted={quoted}
            onQuoted={onQuoted}
            stamp={is_in_player ? stamp : undefined}
          />
        )}
        {is_in_player ? null : stamp}
      </div>
      {has_menu ? <MessageMenu menu={menu} message={message} actions={actions} onReact={react} /> : null}
      {deleted || react === undefined ? null : (
        <Reactions message={message} onReact={react} onWho={onWho && ((emoji: string) => onWho(message, emoji))} />
      )}
    </div>
  );
}
