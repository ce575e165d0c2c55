import { Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ShownMessage } from '../chat-message.ts';
import { walkLine } from '../../../ui/overlay/walk-line.ts';
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
      onKeyDown={walkLine}
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

/** The reactions to a message; pressing one adds the reader's, or removes it. */
export function Reactions({ message, onReact }: { message: ShownMessage; onReact: (emoji: string | null) => void }) {
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label={i18n.t('Reactions')}>
      {message.reactions.map(({ emoji, count, mine }) => (
        <li key={emoji}>
          <button type="button" aria-pressed={mine} onClick={() => onReact(mine ? null : emoji)}>
            <span>{emoji}</span>
            <span className={count === 1 ? 'visually-hidden' : undefined}>{count}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
