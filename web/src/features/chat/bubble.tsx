import { Check, CheckCheck, Clock, Ellipsis } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { RichText } from '../../ui/rich-text.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { MediaView } from '../files/media-view.tsx';
import type { PlacedMessage } from './arrange-messages.ts';
import { summarise } from './chat-message.ts';
import type { ShownMessage } from './chat-message.ts';
import type { Unsent } from './outbox.ts';

/** The time of a message as its bubble shows it. */
function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

/** How a message is named where it cannot be seen. */
export function nameMessage(message: ShownMessage): string {
  const text = summarise(message);
  return message.body === '' ? text.toLowerCase() : `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

function At({ message }: { message: ShownMessage }) {
  const exact = new Date(message.created_at).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <span className="at">
      <time dateTime={message.created_at} title={exact}>
        {timeOf(message.created_at)}
      </time>
      {!message.mine || message.deleted ? null : message.is_read === true ? (
        <>
          <CheckCheck aria-hidden="true" size={16} />
          <span className="visually-hidden">Read</span>
        </>
      ) : (
        <>
          <Check aria-hidden="true" size={16} />
          <span className="visually-hidden">Sent</span>
        </>
      )}
    </span>
  );
}

/** One act of a message's menu. */
export interface MessageAct {
  readonly label: string;
  readonly icon: ReactNode;
  /** @param returnTo what has the focus again when a question that follows is answered */
  readonly onSelect: (returnTo: RefObject<HTMLElement | null>) => void;
}

function Menu({ message, acts }: { message: ShownMessage; acts: readonly MessageAct[] }) {
  const menu = useMenu();
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="ib msg-menu">
        <Ellipsis aria-hidden="true" />
        <span className="visually-hidden">More about {nameMessage(message)}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={4} collisionPadding={12}>
          {acts.map(({ label, icon, onSelect }) => (
            <DropdownMenu.Item key={label} className="menu-item" onSelect={() => onSelect(menu.trigger.ref)}>
              {icon}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The words of a message that another one answers. */
export function Quote({ message }: { message: ShownMessage | undefined }) {
  return (
    <span className="quote">
      <b dir="auto">{message?.mine ? 'You' : (message?.by?.name ?? 'An older message')}</b>
      {message === undefined ? null : (
        <span className="cut" dir="auto">
          {summarise(message)}
        </span>
      )}
    </span>
  );
}

interface BubbleProps {
  placed: PlacedMessage;
  /** The name stands above the first of a run; in a chat of two it is for screen readers alone. */
  is_group: boolean;
  acts: readonly MessageAct[];
  quoted: ShownMessage | undefined;
}

/** One message, or what deleting it has left. */
export function Bubble({ placed: { message, is_first, is_last }, is_group, acts, quoted }: BubbleProps) {
  const { by, mine, body, files, deleted } = message;
  const name = mine ? 'You' : (by?.name ?? 'Asterism');
  if (by === undefined) {
    return (
      <li className="event" dir="auto">
        {body}
      </li>
    );
  }
  const look = ['msg', mine ? 'out' : '', is_first ? 'first' : '', is_last ? 'last' : ''].join(' ');
  return (
    <li className="msg-line" data-mine={mine ? '' : undefined}>
      <div className={files.length > 0 && !deleted ? `${look} photo` : look}>
        <span className={is_group && !mine && is_first ? 'msg-by' : 'visually-hidden'} dir="auto">
          {name}{' '}
        </span>
        {message.reply_to ? <Quote message={quoted} /> : null}
        {deleted ? <span className="msg-gone">Message deleted</span> : null}
        {deleted || files.length === 0 ? null : (
          <div className="msg-media">
            <MediaView files={[...files]} by={mine ? 'you' : name} />
          </div>
        )}
        {deleted || body === '' ? null : <RichText text={body} mentions={[]} />}
        {!deleted && body === '' && files.length === 0 ? <span className="msg-gone">A file that is gone</span> : null}
        {is_last ? <At message={message} /> : null}
      </div>
      {deleted || acts.length === 0 ? null : <Menu message={message} acts={acts} />}
    </li>
  );
}

interface UnsentProps {
  one: Unsent;
  onAgain: () => void;
  onDrop: () => void;
}

const STATE_WORDS = { sending: 'Sending', waiting: 'Waiting for the line', refused: 'Not sent' } as const;

/** A message on its way, and what is wrong with it when the service did not take it. */
export function UnsentBubble({ one, onAgain, onDrop }: UnsentProps) {
  const { body, media, state, problem, written_at } = one;
  return (
    <li className="msg-line" data-mine="" data-state={state}>
      <div className={media.length > 0 ? 'msg out first last photo' : 'msg out first last'}>
        <span className="visually-hidden">You </span>
        {media.length === 0 ? null : (
          <div className="msg-media">
            <MediaView files={[...media]} by="you" />
          </div>
        )}
        {body === '' ? null : (
          <p className="rich-text" dir="auto">
            {body}
          </p>
        )}
        <span className="at">
          {timeOf(written_at)}
          <Clock aria-hidden="true" size={14} />
          <span className="visually-hidden">{STATE_WORDS[state]}</span>
        </span>
      </div>
      {state === 'sending' ? null : (
        <div className="msg-problem">
          {state === 'waiting' ? (
            <p>Not sent yet. It goes out by itself as soon as you are connected.</p>
          ) : (
            <p role="alert">Not sent. {problem}</p>
          )}
          {state === 'waiting' ? null : (
            <button type="button" className="btn quiet small" onClick={onAgain}>
              Send again
            </button>
          )}
          <button type="button" className="btn plain small" onClick={onDrop}>
            Do not send
          </button>
        </div>
      )}
    </li>
  );
}
