import { lazyRouteComponent } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { DropdownMenu, HoverCard } from 'radix-ui';
import { Suspense, useState } from 'react';
import type { ShownMessage } from '../chat-message.ts';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { moveFocusInRow } from '../../../ui/overlay/move-focus-in-row.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The most frequent reactions; others are chosen in the picker. */
const listQuickEmoji = () => [
  ['👍', i18n.t('Thumbs up')],
  ['❤️', i18n.t('Heart')],
  ['😂', i18n.t('Laughing')],
  ['😮', i18n.t('Surprised')],
  ['😢', i18n.t('Sad')],
  ['🙏', i18n.t('Thank you')],
];

/**
 * A row of emoji at the top of a message's menu; the reader's own reaction is pressed, and pressing it again removes
 * it.
 */
export function QuickReactions({
  message,
  onReact,
  onMore,
}: {
  message: ShownMessage;
  onReact: (emoji: string | null) => void;
  /** Opens the picker with all emoji. */
  onMore: () => void;
}) {
  const own = message.reactions.find(({ mine }) => mine)?.emoji;
  return (
    <DropdownMenu.RadioGroup
      className="quick-emoji"
      aria-label={i18n.t('React')}
      value={own ?? ''}
      onKeyDown={moveFocusInRow}
    >
      {listQuickEmoji().map(([emoji = '', name]) => (
        <DropdownMenu.RadioItem
          key={emoji}
          value={emoji}
          aria-label={name}
          onSelect={() => onReact(emoji === own ? null : emoji)}
        >
          <span aria-hidden="true">{emoji}</span>
        </DropdownMenu.RadioItem>
      ))}
      <DropdownMenu.Item aria-label={i18n.t('More emoji')} onSelect={onMore}>
        <Plus aria-hidden="true" />
      </DropdownMenu.Item>
    </DropdownMenu.RadioGroup>
  );
}

/** Loaded when a reaction is pointed at. */
const ReactionCard = lazyRouteComponent(() => import('../reaction-list/reaction-card.tsx'), 'ReactionCard');

/** How long a pointer rests on a reaction until it says of whom it is, in milliseconds. */
const REST_MS = 400;

interface ReactionsProps {
  message: ShownMessage;
  onReact: (emoji: string | null) => void;
  /** Shows who reacted. */
  onWho: ((emoji: string) => void) | undefined;
}

/** One reaction, which says whose it is when it is pointed at or held. */
function Reaction({ message, emoji, onReact, onWho }: ReactionsProps & { emoji: string }) {
  const [is_open, setOpen] = useState(false);
  const hold = useLongPress(() => onWho?.(emoji));
  const { count = 0, mine = false } = message.reactions.find((one) => one.emoji === emoji) ?? {};
  const button = (
    <button
      type="button"
      aria-pressed={mine}
      onClick={() => onReact(mine ? null : emoji)}
      {...(onWho === undefined ? {} : hold)}
    >
      <span>{emoji}</span>
      <span className={count === 1 ? 'visually-hidden' : undefined}>{count}</span>
    </button>
  );
  if (onWho === undefined) return button;
  return (
    <HoverCard.Root open={is_open} onOpenChange={setOpen} openDelay={REST_MS} closeDelay={100}>
      <HoverCard.Trigger asChild>{button}</HoverCard.Trigger>
      {is_open ? (
        <Suspense fallback={null}>
          <ReactionCard message={message} emoji={emoji} />
        </Suspense>
      ) : null}
    </HoverCard.Root>
  );
}

/** The reactions to a message; pressing one adds the reader's, or removes it. */
export function Reactions({ message, ...acts }: ReactionsProps) {
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label={i18n.t('Reactions')}>
      {message.reactions.map(({ emoji }) => (
        <li key={emoji}>
          <Reaction message={message} emoji={emoji} {...acts} />
        </li>
      ))}
    </ul>
  );
}
