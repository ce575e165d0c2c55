import { HoverCard } from 'radix-ui';
import { useMe } from '../../../data/queries/me-query.ts';
import { sdk } from '../../../asterism.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import type { ShownMessage } from '../chat-message.ts';
import { nameOfReactionAuthor, useReactions } from './reactions-sheet.tsx';
import './reactions.css';

/** The maximum number of people that are named. */
const MAX_NAMED = 5;

/** The people with one reaction, with their pictures. */
export function ReactionCard({ message, emoji }: { message: ShownMessage; emoji: string }) {
  const me = useMe();
  const { items } = useReactions(sdk, message, emoji);
  const count = message.reactions.find((one) => one.emoji === emoji)?.count ?? 0;
  const named = items.slice(0, MAX_NAMED);
  const rest = count - named.length;
  if (named.length === 0) return null;
  return (
    <HoverCard.Portal>
      <HoverCard.Content className="reaction-card" side="top" sideOffset={6} collisionPadding={12} aria-hidden="true">
        {named.map((reaction) => {
          const name = nameOfReactionAuthor(reaction, me?.id);
          const { user } = reaction;
          return (
            <span key={reaction.id}>
              <Avatar
                name={user?.username ?? name}
                called={user === null ? name : nameOf(user)}
                url={user?.avatar_url}
                size_px={24}
              />
              <span className="cut" dir="auto">
                {name}
              </span>
            </span>
          );
        })}
        {rest > 0 ? (
          <span>{i18n.t('{count, plural, one {and # other} other {and # others}}', { count: rest })}</span>
        ) : null}
      </HoverCard.Content>
    </HoverCard.Portal>
  );
}
