import { memo, useEffect, useRef } from 'react';
import { Bubble, UnsentBubble } from '../bubble/bubble.tsx';
import type { MessageAct } from '../bubble/bubble.tsx';
import type { ShownMessage } from '../chat-message.ts';
import type { Outbox } from '../outbox.ts';
import { describeDay } from './arrange-messages.ts';
import { CallRow } from './call-row.tsx';
import type { ListedRow } from './listed-rows.ts';

/** What can be done about the messages of a chat. */
export interface MessageActs {
  readonly actsOf: (message: ShownMessage) => readonly MessageAct[];
  readonly onReact?: ((message: ShownMessage, emoji: string | null) => void) | undefined;
  readonly onHistory?: ((message: ShownMessage) => void) | undefined;
}

interface MessageRowProps extends MessageActs {
  readonly row: ListedRow;
  readonly byId: ReadonlyMap<string, ShownMessage>;
  /** Grows each time the row is to be highlighted; 0 where it never was. */
  readonly highlight: number;
  /** Whether a message that has not been fetched can be gone to. */
  readonly can_enter: boolean;
  readonly goTo: (message_id: string) => void;
  readonly outbox: Outbox | undefined;
  readonly is_group: boolean;
}

const quotedBy = ({ row, byId }: Pick<MessageRowProps, 'row' | 'byId'>): ShownMessage | undefined =>
  'placed' in row ? byId.get(row.placed.message.reply_to ?? '') : undefined;

/** One row of a chat: a message with the day that begins with it, a call among the messages, or what is on its way. */
export const MessageRow = memo(
  function MessageRow(props: MessageRowProps) {
    const { row, highlight, can_enter, goTo, outbox, is_group, actsOf, onReact, onHistory } = props;
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (highlight === 0) return;
      const gold = { backgroundColor: ['var(--gold-soft)', 'transparent'] };
      place.current?.animate(gold, { duration: 1_200, easing: 'ease-out' });
    }, [highlight]);
    if ('unsent' in row)
      return (
        <UnsentBubble one={row.unsent} onAgain={() => outbox?.again(row.key)} onDrop={() => outbox?.drop(row.key)} />
      );
    const { placed } = row;
    const { message, day } = placed;
    const { reply_to } = message;
    const quoted = quotedBy(props);
    return (
      <div ref={place}>
        {day === undefined ? null : (
          <p className="day">
            <time dateTime={message.created_at.slice(0, 10)}>{describeDay(day)}</time>
          </p>
        )}
        {message.call === undefined ? (
          <Bubble
            placed={placed}
            is_group={is_group}
            acts={actsOf(message)}
            quoted={quoted}
            onQuoted={reply_to && (quoted !== undefined || can_enter) ? () => goTo(reply_to) : undefined}
            onReact={onReact}
            onHistory={onHistory}
          />
        ) : (
          <CallRow call={message.call} at={message.created_at} />
        )}
      </div>
    );
  },
  // Where it leads, and what can be done, is asked anew with each change of the message: scrolling changes nothing.
  (before, next) =>
    before.highlight === next.highlight &&
    quotedBy(before) === quotedBy(next) &&
    before.is_group === next.is_group &&
    before.actsOf === next.actsOf &&
    before.onReact === next.onReact &&
    isSameRow(before.row, next.row),
);

/** Whether two rows look the same. */
function isSameRow(one: ListedRow, other: ListedRow): boolean {
  if ('unsent' in one || 'unsent' in other) return 'unsent' in one && 'unsent' in other && one.unsent === other.unsent;
  const [before, next] = [one.placed, other.placed];
  return (
    before.message === next.message &&
    before.day?.getTime() === next.day?.getTime() &&
    before.is_first === next.is_first &&
    before.is_last === next.is_last
  );
}
