import type { Asterism } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { RefObject } from 'react';
import { Failure } from '../../ui/empty-state.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { RichText } from '../../ui/text/rich-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ReportDialog } from '../blocks/report-dialog.tsx';
import type { ChatSource, ShownMessage } from '../chat/chat-message.ts';
import { ForwardSheet } from './forward-sheet.tsx';
import type { MessageWork } from '../chat/message-work.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import { messageEditsKey } from '../../data/queries/message-queries.ts';

/** Loaded when they are opened. */
const ReactionsSheet = lazyRouteComponent(() => import('../chat/reaction-list/reactions-sheet.tsx'), 'ReactionsSheet');
const MessageInfo = lazyRouteComponent(() => import('./details/message-info.tsx'), 'MessageInfo');

/** The dialog that is open about messages: about one, or about the selected ones. */
export interface OpenDialog {
  readonly what: 'delete' | 'report' | 'history' | 'forward' | 'reactions' | 'info';
  readonly messages: readonly ShownMessage[];
  /** The reactions that are shown; by default all. */
  readonly emoji?: string;
  /** Called once it is done, and not when it is cancelled. */
  readonly onDone?: () => void;
}

/** Earlier versions of a message, oldest first, and the current one. */
function History({ message, list }: { message: ShownMessage; list: MessageWork['listEdits'] }) {
  const edits = useQuery({
    queryKey: messageEditsKey(message),
    queryFn: () => list(message.id),
  });
  if (edits.isPending) return <Skeleton rows={2} what={i18n.t('Loading earlier versions')} />;
  if (edits.isError) return <Failure text={describeProblem(edits.error)} onRetry={() => void edits.refetch()} />;
  return (
    <ol className="edits">
      {edits.data.items.map(({ body, replaced_at }) => (
        <li key={replaced_at}>
          <RichText text={body} mentions={[]} />
          <p className="note">
            <RichMessage
              text={i18n.t('Until <time>{time}</time>', {
                time: formatDate(replaced_at, { dateStyle: 'medium', timeStyle: 'short' }),
              })}
              parts={{ time: (words) => <time dateTime={replaced_at}>{words}</time> }}
            />
          </p>
        </li>
      ))}
      <li>
        <RichText text={message.body} mentions={message.mentions} />
        <p className="note">{i18n.t('Now')}</p>
      </li>
    </ol>
  );
}

interface MessageDialogProps {
  opened: OpenDialog;
  onClose: () => void;
  /** The element that gets the focus when the dialog is closed. */
  returnTo: RefObject<HTMLElement | null>;
  listEdits: MessageWork['listEdits'];
  readers: string;
  onDelete: (messages: readonly ShownMessage[]) => void;
  /** The chat of the message, where its messages can be forwarded. */
  chat: ChatSource | undefined;
  /** The client of the reader. */
  client: Asterism;
}

/** Asks whether messages are to be deleted. */
function DeleteDialog({
  opened: { messages, onDone },
  onClose,
  returnTo,
  readers,
  onDelete,
}: Pick<MessageDialogProps, 'opened' | 'onClose' | 'returnTo' | 'readers' | 'onDelete'>) {
  const count = messages.length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      returnTo={returnTo}
      title={
        count === 1
          ? i18n.t('Delete it?')
          : i18n.t('{count, plural, one {Delete # message?} other {Delete # messages?}}', { count })
      }
      text={
        count > 1
          ? readers === 'everyone'
            ? i18n.t('They are deleted for everyone. Notes that messages were deleted remain.')
            : i18n.t('They are deleted for both of you. Notes that messages were deleted remain.')
          : readers === 'everyone'
            ? i18n.t('It is deleted for everyone. A note that a message was deleted remains.')
            : i18n.t('It is deleted for both of you. A note that a message was deleted remains.')
      }
      action={i18n.t('Delete')}
      onConfirm={() => {
        onDelete(messages);
        onDone?.();
      }}
    />
  );
}

/** The dialogs of a message's menu: the confirmation of a deletion, a report, or its earlier versions. */
export function MessageDialog({
  opened,
  onClose,
  returnTo,
  listEdits,
  readers,
  onDelete,
  chat,
  client,
}: MessageDialogProps) {
  const { what, messages, onDone } = opened;
  const [message] = messages;
  if (message === undefined) return null;
  if (what === 'delete') return <DeleteDialog opened={opened} {...{ onClose, returnTo, readers, onDelete }} />;
  if (what === 'report')
    return (
      <ReportDialog
        open
        onClose={onClose}
        returnTo={returnTo}
        target={{ type: 'message', id: message.id, name: i18n.t('this message') }}
      />
    );
  if (what === 'forward')
    return (
      chat && <ForwardSheet from={chat} messages={messages} onClose={onClose} onDone={onDone} returnTo={returnTo} />
    );
  if (what === 'reactions')
    return (
      <Suspense fallback={null}>
        <ReactionsSheet client={client} message={message} emoji={opened.emoji} onClose={onClose} returnTo={returnTo} />
      </Suspense>
    );
  if (what === 'info')
    return chat !== undefined && 'group_id' in chat ? (
      <Suspense fallback={null}>
        <MessageInfo group_id={chat.group_id} message={message} onClose={onClose} returnTo={returnTo} />
      </Suspense>
    ) : null;
  return (
    <Sheet open onClose={onClose} title={i18n.t('Earlier versions')}>
      <History message={message} list={listEdits} />
    </Sheet>
  );
}
