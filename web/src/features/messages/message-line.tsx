import type { DirectMessage } from '@asterism/sdk';
import { Ellipsis, Flag, RotateCcw, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { useMenu } from '../../ui/use-menu.ts';
import { ReportDialog } from '../blocks/report-dialog.tsx';
import { MediaView } from '../files/media-view.tsx';
import { useDeleteMessage } from './message-acts.ts';
import type { Outgoing } from './message-queries.ts';

/** How a message is named where it cannot be seen. */
function shorten(body: string): string {
  return body === '' ? 'a file' : `“${body.length > 40 ? `${body.slice(0, 40)}…` : body}”`;
}

/** What can be done about a message: taken back by whoever wrote it, reported by the other. */
function MessageMenu({ message, mine }: { message: DirectMessage; mine: boolean }) {
  const menu = useMenu();
  const remove = useDeleteMessage();
  const [is_asking, ask] = useState(false);
  const dialog = { open: is_asking, onClose: () => ask(false), returnTo: menu.trigger.ref };
  return (
    <>
      <DropdownMenu.Root {...menu.root}>
        <DropdownMenu.Trigger {...menu.trigger} className="button button-plain button-icon dm-menu">
          <Ellipsis aria-hidden="true" />
          <span className="visually-hidden">More about {shorten(message.body)}</span>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={4} collisionPadding={12}>
            <DropdownMenu.Item className="menu-item" onSelect={() => ask(true)}>
              {mine ? <Trash2 aria-hidden="true" /> : <Flag aria-hidden="true" />}
              {mine ? 'Delete' : 'Report this message'}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {mine ? (
        <ConfirmDialog
          {...dialog}
          title="Delete it?"
          text="It goes for both of you. That something was written stays to be seen."
          action="Delete"
          onConfirm={() => remove.mutate(message)}
        />
      ) : (
        <ReportDialog {...dialog} target={{ type: 'message', id: message.id, name: 'this message' }} />
      )}
    </>
  );
}

interface MessageLineProps {
  message: DirectMessage;
  mine: boolean;
  /** It is the last of the reader's that the other has read. */
  is_read_last: boolean;
}

/** One message of a thread, or what deleting it has left. */
export function MessageLine({ message, mine, is_read_last }: MessageLineProps) {
  const { body, media, created_at, deleted_at, sender } = message;
  const at = new Date(created_at);
  const by = mine ? 'You' : nameOf(sender);
  return (
    <li className="chat-line" data-mine={mine ? '' : undefined}>
      <span className="chat-by">
        {by}{' '}
        <time dateTime={created_at} title={at.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })}>
          {at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
        </time>
      </span>
      {deleted_at === null ? (
        <div className="dm-content">
          <div className="dm-words">
            {media.length === 0 ? null : (
              <div className="chat-media">
                <MediaView files={media} by={mine ? 'you' : by} />
              </div>
            )}
            {body === '' ? null : (
              <div className="chat-body">
                <RichText text={body} mentions={[]} />
              </div>
            )}
            {body === '' && media.length === 0 ? <span className="soft small">A file that is gone</span> : null}
          </div>
          <MessageMenu message={message} mine={mine} />
        </div>
      ) : (
        <span className="soft small dm-deleted">Message deleted</span>
      )}
      {is_read_last ? <span className="chat-by">Read</span> : null}
    </li>
  );
}

interface OutgoingLineProps {
  one: Outgoing;
  onAgain: () => void;
  onDrop: () => void;
}

/** A message on its way, and what is wrong with it when the service did not take it. */
export function OutgoingLine({ one, onAgain, onDrop }: OutgoingLineProps) {
  const { body, media, problem } = one;
  return (
    <li className="chat-line" data-mine="" data-state={problem === undefined ? 'sending' : 'failed'}>
      <span className="chat-by">{problem === undefined ? 'Sending…' : 'Not sent'}</span>
      <div className="dm-words">
        {media.length === 0 ? null : (
          <div className="chat-media">
            <MediaView files={media} by="you" />
          </div>
        )}
        {body === '' ? null : <span className="chat-body">{body}</span>}
      </div>
      {problem === undefined ? null : (
        <>
          <p className="field-error" role="alert">
            {problem}
          </p>
          <div className="cluster">
            <button type="button" className="button button-quiet" onClick={onAgain}>
              <RotateCcw aria-hidden="true" />
              Send again
            </button>
            <button type="button" className="button button-plain" onClick={onDrop}>
              Do not send
            </button>
          </div>
        </>
      )}
    </li>
  );
}
