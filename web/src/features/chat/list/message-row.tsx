import { memo, useEffect, useRef } from 'react';
import { Bubble } from '../bubble/bubble.tsx';
import type { MessageAction } from '../bubble/message-menu.tsx';
import { UnsentBubble } from '../bubble/unsent-bubble.tsx';
import type { ShownMessage } from '../chat-message.ts';
import type { Outbox } from '../outbox.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { describeDay } from '../arrange-messages.ts';
import { CallRow } from './call-row.tsx';
import { Selectable } from '../selection/selectable.tsx';
import { isSelectable } from '../selection/use-selection.ts';
import type { Selection } from '../selection/use-selection.ts';
import type { ListedRow } from './listed-rows.ts';

/** The possible actions on messages of a chat. */
export interface MessageActions {
  readonly actionsOf: (message: ShownMessage) => readonly MessageAction[];
  readonly onReact?: ((message: ShownMessage, emoji: string | null) => void) | undefined;
  /** Shows who reacted to a message. */
  readonly onWho?: ((message: ShownMessage, emoji: string) => void) | undefined;
  readonly onHistory?: ((message: ShownMessage) => void) | undefined;
  /** Edits a message that is not sent yet. */
  readonly onEdit: (message: ShownMessage) => void;
  /** Where several messages can be selected. */
  readonly selection?: Selection | undefined;
}

interface MessageRowProps extends MessageActions {
  readonly row: ListedRow;
  readonly byId: ReadonlyMap<string, ShownMessage>;
  /** Incremented to highlight the row; 0 initially. */
  readonly highlight: number;
  /** Whether the list can jump to a message that is not loaded. */
  readonly can_enter: boolean;
  readonly goTo: (message_id: string) => void;
  readonly outbox: Outbox | undefined;
  readonly is_group: boolean;
}

/** How a row of a selection looks. */
const selectedIn = ({ row, selection }: Pick<MessageRowProps, 'row' | 'selection'>) => ({
  is_selecting: (selection?.ids.size ?? 0) > 0,
  is_selected: selection?.ids.has(row.key) === true,
  is_first: selection?.first_id === row.key,
});

const quotedBy = ({ row, byId }: Pick<MessageRowProps, 'row' | 'byId'>): ShownMessage | undefined =>
  byId.get(('placed' in row ? row.placed.message : row.unsent).reply_to ?? '');

/** One row of a chat: a message with a day separator, a call, or a message being sent. */
export const MessageRow = memo(
  function MessageRow(props: MessageRowProps) {
    const {
      row,
      highlight,
      can_enter,
      goTo,
      outbox,
      is_group,
      actionsOf,
      onReact,
      onWho,
      onHistory,
      onEdit,
      selection,
    } = props;
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (highlight === 0) return;
      const gold = { backgroundColor: ['var(--gold-soft)', 'transparent'] };
      place.current?.animate(gold, { duration: 1_200, easing: 'ease-out' });
    }, [highlight]);
    const quoted = quotedBy(props);
    if ('unsent' in row)
      return (
        <UnsentBubble
          {...row}
          quoted={quoted}
          onAgain={() => outbox?.retry(row.key)}
          onDrop={() => outbox?.discard(row.key)}
          onEdit={onEdit}
        />
      );
    const { placed } = row;
    const { message, day } = placed;
    const { reply_to } = message;
    return (
      <div ref={place}>
        {day === undefined ? null : (
          <p className="day">
            <time dateTime={message.created_at.slice(0, 10)}>{describeDay(day)}</time>
          </p>
        )}
        {row.starts_unread ? <p className="divider unread-line">{i18n.t('Unread messages')}</p> : null}
        {message.call === undefined ? (
          <Selectable
            message={message}
            onSelect={selection && isSelectable(message) ? () => selection.start(message.id) : undefined}
            onToggle={selection?.toggle}
            {...selectedIn(props)}
          >
            <Bubble
              placed={placed}
              is_group={is_group}
              actions={actionsOf(message)}
              quoted={quoted}
              onQuoted={reply_to && (quoted !== undefined || can_enter) ? () => goTo(reply_to) : undefined}
              onReact={onReact}
              onWho={onWho}
              onHistory={onHistory}
            />
          </Selectable>
        ) : (
          <CallRow call={message.call} at={message.created_at} />
        )}
      </div>
    );
  },
  // Memoised by message: scrolling changes neither actions nor links.
  (before, next) =>
    before.highlight === next.highlight &&
    quotedBy(before) === quotedBy(next) &&
    before.is_group === next.is_group &&
    before.actionsOf === next.actionsOf &&
    before.onReact === next.onReact &&
    isSelectedAlike(before, next) &&
    isSameRow(before.row, next.row),
);

const isSelectedAlike = (one: MessageRowProps, other: MessageRowProps): boolean => {
  const [before, next] = [selectedIn(one), selectedIn(other)];
  return before.is_selecting === next.is_selecting && before.is_selected === next.is_selected;
};

/** Whether two rows look the same. */
function isSameRow(one: ListedRow, other: ListedRow): boolean {
  if ('unsent' in one || 'unsent' in other)
    return (
      'unsent' in one &&
      'unsent' in other &&
      one.unsent === other.unsent &&
      one.is_first === other.is_first &&
      one.is_last === other.is_last &&
      one.tells_waiting === other.tells_waiting
    );
  const [before, next] = [one.placed, other.placed];
  return (
    one.starts_unread === other.starts_unread &&
    before.message === next.message &&
    before.day?.getTime() === next.day?.getTime() &&
    before.is_first === next.is_first &&
    before.is_last === next.is_last
  );
}
