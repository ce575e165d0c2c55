import { ArrowDown } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { MessagesSkeleton } from '../messages-skeleton.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { PicturesAround } from '../../files/lightbox/pictures.ts';
import type { ShownMessage } from '../chat-message.ts';
import type { Outbox } from '../outbox.ts';
import type { Unsent } from '../unsent.ts';
import { arrangeMessages } from '../arrange-messages.ts';
import { DayAbove } from './day-above.tsx';
import { listRows } from './listed-rows.ts';
import type { ListedRow } from './listed-rows.ts';
import { MessageRow } from './message-row.tsx';
import type { MessageActions } from './message-row.tsx';
import { recallPlace, useHistoryKey } from './remembered-places.ts';
import type { RememberedPlace } from './remembered-places.ts';
import { useAnnounced } from './use-announced.ts';
import { useChatPictures } from './use-chat-pictures.ts';
import { useRowWindow } from './use-row-window.ts';
import { useSeen } from './use-seen.ts';
import { useOldestUnread } from './use-oldest-unread.ts';
import '../chat.css';

type Growing = Parameters<typeof More>[0]['list'];

/** Where a chat was opened in its middle. */
export interface Entered {
  readonly at: string;
  /** Whether it was opened after this message, at the oldest unread one. */
  readonly is_after: boolean;
  /** Opens the chat at its newest message. */
  readonly onLatest: () => void;
}

export interface MessageListProps extends MessageActions {
  /** The loaded messages, and how to load older ones, and newer ones where the chat was opened in its middle. */
  list: Growing & {
    isPending: boolean;
    isFetching: boolean;
    isError: boolean;
    refetch: () => unknown;
    newer?: Growing | undefined;
  };
  /** The message at which the chat was opened, or after which, and how to get to the newest. */
  entered?: Entered | undefined;
  /** Newest first, as in cached lists. */
  messages: readonly ShownMessage[];
  unsent: readonly Unsent[];
  outbox: Outbox | undefined;
  label: string;
  /** How many messages the reader has not read, and whether that was fetched since the chat was opened. */
  unread_count?: number | undefined;
  is_counted?: boolean;
  /** Receives the newest message that the reader has had in sight. */
  onSeen?: ((message_id: string) => void) | undefined;
  is_group?: boolean;
  /** Opens the chat at a message that is not loaded; undefined where that is impossible. */
  onEnter?: ((message_id: string) => void) | undefined;
  /** Shown above the messages. @param goTo shows a message of the chat */
  above?: ((goTo: (message_id: string) => void) => ReactNode) | undefined;
  /** Shown in an empty chat. */
  empty: string;
}

/** A button over the lower edge of a list that goes to its newest message, with the number of new ones. */
function JumpButton({ new_count, onPress }: { new_count: number; onPress: () => void }) {
  return (
    <button type="button" className={new_count > 0 ? 'button quiet jump' : 'icon-button jump'} onClick={onPress}>
      <ArrowDown aria-hidden="true" />
      {new_count > 0 ? (
        i18n.t('{count, plural, one {# new message} other {# new messages}}', { count: new_count })
      ) : (
        <span className="visually-hidden">{i18n.t('Jump to latest')}</span>
      )}
    </button>
  );
}

interface JumpProps extends Pick<MessageListProps, 'entered' | 'unread_count'> {
  is_cut: boolean;
  is_away: boolean;
  new_count: number;
  goToEnd: () => void;
}

/** The button to the newest message, while that is not in sight. */
function Jump({ is_cut, entered, unread_count = 0, is_away, new_count, goToEnd }: JumpProps) {
  if (is_cut) return entered ? <JumpButton new_count={unread_count} onPress={entered.onLatest} /> : null;
  const below_count = is_away ? Math.max(new_count, unread_count) : new_count;
  return is_away || new_count > 0 ? <JumpButton new_count={below_count} onPress={goToEnd} /> : null;
}

/** The placeholder while there are no messages. */
function NoMessages({ list, label, empty }: Pick<MessageListProps, 'list' | 'label' | 'empty'>) {
  return (
    <div className="talk" tabIndex={0} role="log" aria-label={label}>
      <div className="talk-in">
        {list.isPending ? (
          <MessagesSkeleton what={i18n.t('Loading the messages')} />
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

/** What a row needs to know of the list. */
const actionsIn = ({ is_group = false, onEnter, ...list }: MessageListProps) => ({
  is_group,
  can_enter: onEnter !== undefined,
  actionsOf: list.actionsOf,
  onReact: list.onReact,
  onWho: list.onWho,
  onHistory: list.onHistory,
  onEdit: list.onEdit,
  selection: list.selection,
});

interface RowsProps extends MessageListProps {
  rows: readonly ListedRow[];
  unread_id: string | undefined;
  /** Whether it is known where the list opens. */
  is_opened: boolean;
  /** Where the reader left the list. */
  place: RememberedPlace | undefined;
}

/** Loads older messages when it comes into view. */
function Older({ list }: { list: Growing }) {
  return list.hasNextPage ? (
    <div className="talk-older">
      <More list={list} what={i18n.t('messages')} />
    </div>
  ) : null;
}

/** Renders the visible rows, in a list as high as all of them. */
function Rows(props: RowsProps) {
  const { list, rows, unread_id, place, messages, unsent, outbox, label, entered, onEnter } = props;
  const actions = actionsIn(props);
  const byId = useMemo(() => new Map(messages.map((one) => [one.id, one])), [messages]);
  const is_cut = list.newer?.hasNextPage === true;
  const { scroller, virtualizer, virtual_rows, focused, new_count, is_away, day, goToEnd, show, highlight, loadOlder } =
    useRowWindow({
      rows,
      older: list,
      is_cut,
      is_own: unsent.length > 0 || messages[0]?.mine === true,
      at: entered?.at,
      unread_id,
      label,
      place,
    });
  useSeen({ rows, virtualizer, is_opened: props.is_opened, onSeen: props.onSeen });
  const goTo = useGoTo(show, onEnter);
  const total = list.hasNextPage ? -1 : rows.length;
  return (
    <>
      {props.above?.(goTo)}
      {/* New messages are announced in a separate live region, since rows are also added by scrolling. */}
      <div ref={scroller} className="talk" tabIndex={0} role="log" aria-live="off" aria-label={label}>
        <div className="talk-in">
          <Older list={{ ...list, fetchNextPage: loadOlder }} />
          <ol
            ref={virtualizer.containerRef}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
            onBlurCapture={() => {
              focused.current = undefined;
            }}
          >
            {virtual_rows.map(({ index, key }) => {
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
                    {...actions}
                  />
                </li>
              );
            })}
          </ol>
          {list.newer === undefined ? null : <More list={list.newer} what={i18n.t('newer messages')} />}
        </div>
      </div>
      <DayAbove day={day} />
      <Jump {...{ is_cut, entered, unread_count: props.unread_count, is_away, new_count, goToEnd }} />
    </>
  );
}

/** The messages of a chat, oldest first, with day separators and those being sent at the end. */
export function MessageList(props: MessageListProps) {
  const { list, messages, unsent, unread_count, is_counted, entered, label } = props;
  const placed = useMemo(() => arrangeMessages(messages.toReversed()), [messages]);
  const entry = useHistoryKey();
  const [place] = useState(() => recallPlace(entry, label));
  const is_entered = entered !== undefined || place !== undefined;
  const after = entered?.is_after === true ? entered.at : undefined;
  const { unread_id, is_searching } = useOldestUnread({ list, messages, unread_count, is_counted, is_entered, after });
  const rows = useMemo(() => listRows(placed, unsent, unread_id), [placed, unsent, unread_id]);
  const announced = useAnnounced(messages[0]);
  const pictures = useChatPictures(messages, list);
  return (
    <div className="talk-box">
      {rows.length === 0 ? (
        <NoMessages {...props} />
      ) : (
        <PicturesAround value={pictures}>
          <Rows
            {...props}
            rows={rows}
            unread_id={unread_id}
            is_opened={is_counted === true && !is_searching}
            place={place}
          />
        </PicturesAround>
      )}
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
    </div>
  );
}
