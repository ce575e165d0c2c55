import type { Asterism, Reply } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RefObject } from 'react';
import { useList } from '../../../data/lists.ts';
import { useMe } from '../../../data/queries/me-query.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { nameOfGuest } from '../../../i18n/default-names.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Failure } from '../../../ui/empty-state.tsx';
import { useListBeside } from '../../../ui/hooks/use-list-beside.ts';
import { More } from '../../../ui/more.tsx';
import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Row } from '../../../ui/row.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { When } from '../../../ui/when.tsx';
import type { ShownMessage } from '../chat-message.ts';
import { reactionsKey } from './reaction-queries.ts';
import './reactions.css';

type MessageReaction = Reply<'chatDetails', 'listMessageReactions'>['items'][number];

/** Who reacted to a message. @param emoji only these reactions */
export function useReactions(client: Asterism, message: ShownMessage, emoji?: string) {
  return useList<MessageReaction>({
    queryKey: reactionsKey(message, emoji),
    load: (query, signal) =>
      client.chatDetails.listMessageReactions({
        path: { message_id: message.id },
        query: { ...query, ...(emoji === undefined ? {} : { emoji }) },
        signal,
      }),
  });
}

/** The name of who reacted; the reader is "You". */
export function nameOfReactionAuthor({ id, user, guest }: MessageReaction, reader_id: string | undefined): string {
  if (id === reader_id) return i18n.t('You');
  return user === null ? (guest === null ? '' : nameOfGuest(guest)) : nameOf(user);
}

function ReactionRow({ reaction, onClose }: { reaction: MessageReaction; onClose: () => void }) {
  const me = useMe();
  const beside = useListBeside();
  const { user, emoji, reacted_at } = reaction;
  const name = nameOfReactionAuthor(reaction, me?.id);
  const shown = (
    <Row
      picture={
        <Avatar name={user?.username ?? name} called={user === null ? name : nameOf(user)} url={user?.avatar_url} />
      }
      title={name}
      detail={<When at={reacted_at} className="" />}
      end={<span className="reaction-emoji">{emoji}</span>}
    />
  );
  if (user === null || me === undefined) return <div className="row">{shown}</div>;
  return (
    <Link to="/u/$userId" params={{ userId: user.id }} state={beside} className="row" onClick={onClose}>
      {shown}
    </Link>
  );
}

interface ReactionsSheetProps {
  client: Asterism;
  message: ShownMessage;
  /** The reactions that are shown first; by default all. */
  emoji: string | undefined;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Who reacted to a message: all, or those with one emoji. */
export function ReactionsSheet({ client, message, emoji, onClose, returnTo }: ReactionsSheetProps) {
  const [chosen, choose] = useState(emoji);
  const list = useReactions(client, message, chosen);
  const count = message.reactions.reduce((sum, one) => sum + one.count, 0);
  return (
    <Sheet open onClose={onClose} title={i18n.t('Reactions')} returnTo={returnTo}>
      <div className="chips" role="group" aria-label={i18n.t('Reactions')}>
        <Chip pressed={chosen === undefined} onClick={() => choose(undefined)}>
          {i18n.t('All')} {count}
        </Chip>
        {message.reactions.map((one) => (
          <Chip key={one.emoji} pressed={chosen === one.emoji} onClick={() => choose(one.emoji)}>
            {one.emoji} {one.count}
          </Chip>
        ))}
      </div>
      {list.isPending ? <Skeleton rows={3} what={i18n.t('Loading the reactions')} /> : null}
      {list.isError && list.items.length === 0 ? (
        <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : null}
      <ul className="sheet-rows" aria-label={i18n.t('People')}>
        {list.items.map((reaction) => (
          <li key={reaction.id}>
            <ReactionRow reaction={reaction} onClose={onClose} />
          </li>
        ))}
      </ul>
      <More list={list} what={i18n.t('reactions')} />
    </Sheet>
  );
}
