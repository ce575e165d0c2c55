import { ArrowDown } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import type { ShownMessage } from '../chat-message.ts';
import type { Outbox, Unsent } from '../outbox.ts';
import { arrangeMessages } from './arrange-messages.ts';
import { listRows } from './listed-rows.ts';
import type { ListedRow } from './listed-rows.ts';
import { MessageRow } from './message-row.tsx';
import type { MessageActs } from './message-row.tsx';
import { useAnnounced } from './use-announced.ts';
import { useRowWindow } from './use-row-window.ts';
import '../chat.css';

type Growing = Parameters<typeof More>[0]['list'];

interface MessageListProps extends MessageActs {
  /** The loaded messages, and how to load older ones, and newer ones where the chat was opened in its middle. */
  list: Growing & { isPending: boolean; isError: boolean; refetch: () => unknown; newer?: Growing | undefined };
  /** The message at which the chat was opened, and how to get to the newest. */
  entered?: { readonly at: string; readonly onLatest: () => void } | undefined;
  /** Newest first, as in cached lists. */
  messages: readonly ShownMessage[];
  unsent: readonly Unsent[];
  outbox: Outbox | undefined;
  label: string;
  is_group?: boolean;
  /** Opens the chat at a message that is not loaded; undefined where that is impossible. */
  onEnter?: ((message_id: string) => void) | undefined;
  /** Shown in an empty chat. */
  empty: string;
}

/** A button over the lower edge of a list that scrolls to its newest message. */
function JumpButton({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className="btn quiet new-pill" onClick={onPress}>
      <ArrowDown aria-hidden="true" />
      {children}
    </button>
  );
}

/** The placeholder while there are no messages. */
function NoMessages({ list, label, empty }: Pick<MessageListProps, 'list' | 'label' | 'empty'>) {
  return (
    <div className="talk" tabIndex={0} role="log" aria-label={label}>
      <div className="talk-in">
        {list.isPending ? (
          <Skeleton rows={5} what={i18n.t('Fetching the messages')} />
        ) : list.isError ? (
          <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
        ) : (
          <EmptyState title={i18n.t('Say hello')} text={empty} />
        )}
      </div>
    </div>
  );
}

/** Scrolls to a message if it is loaded; a stable function. */
function useGoTo(show: (id: string) => boolean, onEnter: MessageListProps['onEnter']): (id: string) => void {
  const latest = useRef({ show, onEnter });
  latest.current = { show, onEnter };
  return useCallback((id) => {
    if (!latest.current.show(id)) latest.current.onEnter?.(id);
  }, []);
}

/** Renders the visible rows, in a list as high as all of them. */
function Rows(props: MessageListProps & { rows: readonly ListedRow[] }) {
  const { list, rows, messages, unsent, outbox, label, entered, onEnter, is_group = false } = props;
  const { actsOf, onReact, onHistory } = props;
  const acts = { is_group, can_enter: onEnter !== undefined, actsOf, onReact, onHistory };
  const byId = useMemo(() => new Map(messages.map((one) => [one.id, one])), [messages]);
  const is_cut = list.newer?.hasNextPage === true;
  const { scroller, virtualizer, drawn, focused, has_new, goToEnd, show, highlight, fetchOlder } = useRowWindow({
    rows,
    older: list,
    is_cut,
    is_own: unsent.length > 0 || messages[0]?.mine === true,
    at: entered?.at,
  });
  const goTo = useGoTo(show, onEnter);
  const total = list.hasNextPage ? -1 : rows.length;
  return (
    <>
      {/* New messages are announced in a separate live region, since rows are also added by scrolling. */}
      <div ref={scroller} className="talk" tabIndex={0} role="log" aria-live="off" aria-label={label}>
        <div className="talk-in">
          {list.hasNextPage ? (
            <div className="talk-older">
              <More list={{ ...list, fetchNextPage: fetchOlder }} what={i18n.t('messages')} />
            </div>
          ) : null}
          <ol
            ref={virtualizer.containerRef}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
            onBlurCapture={() => {
              focused.current = undefined;
            }}
          >
            {drawn.map(({ index, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className="talk-row"
                  aria-posinset={index + 1}
                  aria-setsize={total}
                  onFocusCapture={() => {
                    focused.current = row.key;
                  }}
                >
                  <MessageRow
                    row={row}
                    byId={byId}
                    highlight={highlight?.key === row.key ? highlight.count : 0}
                    outbox={outbox}
                    goTo={goTo}
                    {...acts}
                  />
                </li>
              );
            })}
          </ol>
          {list.newer === undefined ? null : <More list={list.newer} what={i18n.t('newer messages')} />}
        </div>
      </div>
      {is_cut && entered ? <JumpButton onPress={entered.onLatest}>{i18n.t('Jump to latest')}</JumpButton> : null}
      {has_new ? <JumpButton onPress={goToEnd}>{i18n.t('New messages')}</JumpButton> : null}
    </>
  );
}

/** The messages of a chat, oldest first, with day separators and those being sent at the end. */
export function MessageList(props: MessageListProps) {
  const { messages, unsent } = props;
  const placed = useMemo(() => arrangeMessages(messages.toReversed()), [messages]);
  const rows = useMemo(() => listRows(placed, unsent), [placed, unsent]);
  const announced = useAnnounced(messages[0]);
  return (
    <div className="talk-box">
      {rows.length === 0 ? <NoMessages {...props} /> : <Rows {...props} rows={rows} />}
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
    </div>
  );
}
