import { ArrowDown } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import type { ReactNode } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { arrangeMessages, describeDay } from './arrange-messages.ts';
import type { PlacedMessage } from './arrange-messages.ts';
import { Bubble, UnsentBubble } from './bubble/bubble.tsx';
import { CallRow } from './call-row.tsx';
import type { MessageAct } from './bubble/bubble.tsx';
import type { ShownMessage } from './chat-message.ts';
import type { Outbox, Unsent } from './outbox.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { i18n } from '../../i18n/i18n.ts';

type Growing = Parameters<typeof More>[0]['list'];

interface MessageListProps {
  /** What has been fetched, and how older ones are, and newer ones where the chat was entered in its midst. */
  list: Growing & { isPending: boolean; isError: boolean; refetch: () => unknown; newer?: Growing | undefined };
  /** The message at which the chat was entered, and the way to the newest. */
  entered?: { readonly at: string; readonly onLatest: () => void } | undefined;
  /** Newest first, as lists are kept. */
  messages: readonly ShownMessage[];
  unsent: readonly Unsent[];
  outbox: Outbox | undefined;
  label: string;
  is_group?: boolean;
  actsOf: (message: ShownMessage) => readonly MessageAct[];
  onReact?: ((message: ShownMessage, emoji: string | null) => void) | undefined;
  onHistory?: ((message: ShownMessage) => void) | undefined;
  /** What stands where nothing is written yet. */
  empty: string;
  children?: ReactNode;
}

type RowProps = Pick<MessageListProps, 'is_group' | 'actsOf' | 'onReact' | 'onHistory'> & {
  placed: PlacedMessage;
  byId: ReadonlyMap<string, ShownMessage>;
};

/** One message in its place, or a call that stands among them. */
function Row({ placed, byId, is_group = false, actsOf, onReact, onHistory }: RowProps) {
  const { message } = placed;
  if (message.call !== undefined) return <CallRow call={message.call} at={message.created_at} />;
  return (
    <Bubble
      placed={placed}
      is_group={is_group}
      acts={actsOf(message)}
      quoted={byId.get(message.reply_to ?? '')}
      onReact={onReact}
      onHistory={onHistory}
    />
  );
}

/** The messages of a chat, oldest first, with the days between them and what is on its way at the end. */
export function MessageList(props: MessageListProps) {
  const { list, messages, unsent, outbox, label, empty, entered, children } = props;
  const placed = useMemo(() => arrangeMessages(messages.toReversed()), [messages]);
  const byId = useMemo(() => new Map(messages.map((one) => [one.id, one])), [messages]);
  const last = unsent.at(-1)?.key ?? messages[0]?.id;
  const is_cut = list.newer?.hasNextPage === true;
  const { scroller, content, has_new, goToEnd } = useFollowEnd({
    at: entered?.at,
    is_cut,
    first: messages.at(-1)?.id,
    last,
    is_own: unsent.length > 0 || messages[0]?.mine === true,
  });
  const is_empty = !list.isPending && !list.isError && placed.length + unsent.length === 0;
  return (
    <div className="talk-box">
      <div ref={scroller} className="talk" tabIndex={0} role="log" aria-label={label}>
        <div ref={content} className="talk-in">
          {list.isPending ? <Skeleton rows={5} what={i18n.t('Fetching the messages')} /> : null}
          {list.isError && messages.length === 0 ? (
            <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
          ) : null}
          {is_empty ? <EmptyState title={i18n.t('Say hello')} text={empty} /> : null}
          <More list={list} what={i18n.t('messages')} />
          <ol>
            {placed.map((one) => (
              <Fragment key={one.message.id}>
                {one.day === undefined ? null : (
                  <li className="day">
                    <time dateTime={one.message.created_at.slice(0, 10)}>{describeDay(one.day)}</time>
                  </li>
                )}
                <Row placed={one} byId={byId} {...props} />
              </Fragment>
            ))}
            {unsent.map((one) => (
              <UnsentBubble
                key={one.key}
                one={one}
                onAgain={() => outbox?.again(one.key)}
                onDrop={() => outbox?.drop(one.key)}
              />
            ))}
          </ol>
          {list.newer === undefined ? null : <More list={list.newer} what={i18n.t('newer messages')} />}
          {children}
        </div>
      </div>
      {is_cut && entered !== undefined ? (
        <button type="button" className="btn quiet small new-pill" onClick={entered.onLatest}>
          <ArrowDown aria-hidden="true" />
          {i18n.t('Jump to latest')}
        </button>
      ) : null}
      {has_new ? (
        <button type="button" className="btn quiet small new-pill" onClick={goToEnd}>
          <ArrowDown aria-hidden="true" />
          {i18n.t('New messages')}
        </button>
      ) : null}
    </div>
  );
}
