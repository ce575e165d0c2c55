import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageCircle, Phone, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { gridQuery, type Tile } from '../../data/queries/grid-query.ts';
import type { Home } from '../../data/home-start.ts';
import { useOpenThread } from '../../data/open-thread.ts';
import { i18n } from '../../i18n/i18n.ts';

const LIVE: readonly Tile['state'][] = ['joined', 'joining', 'ringing'];

function FavouriteActions({ tile, onDone }: { tile: Tile; onDone: () => void }) {
  const start = useStartCall();
  const write = useOpenThread();
  const { contact } = tile;
  return (
    <div className="sheet-actions">
      <button
        type="button"
        className="button primary"
        disabled={start.isPending}
        onClick={() => start.mutate([{ contact_id: contact.id }], { onSettled: onDone })}
      >
        <Phone aria-hidden="true" />
        {i18n.t('Call')}
      </button>
      {contact.user === null ? null : (
        <button
          type="button"
          className="button quiet"
          disabled={write.isPending}
          onClick={() => write.mutate({ user_id: contact.user?.id ?? '' }, { onSettled: onDone })}
        >
          <MessageCircle aria-hidden="true" />
          {i18n.t('Message')}
        </button>
      )}
    </div>
  );
}

function Favourite({ tile }: { tile: Tile }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { contact, state } = tile;
  const is_live = LIVE.includes(state);
  return (
    <li>
      <button ref={button} type="button" className="life" onClick={() => setOpen(true)}>
        <Avatar
          name={contact.user?.username ?? contact.name}
          called={contact.name}
          url={contact.user?.avatar_url}
          size_px={60}
          live={is_live}
        />
        <span className="life-name" dir="auto">
          {contact.name}
        </span>
        {is_live ? <span className="count">{i18n.t('In your call')}</span> : null}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={contact.name} returnTo={button}>
        <FavouriteActions tile={tile} onDone={() => setOpen(false)} />
      </Sheet>
    </li>
  );
}

interface FavouritesRowProps {
  home: Home | undefined;
  is_pending: boolean;
  /** Whether the favourites are part of the pending home page, and need no request of their own. */
  is_coming: boolean;
}

/** Favourites and groups, those in a call first, in a horizontally scrolling row. */
export function FavouritesRow({ home, is_pending, is_coming }: FavouritesRowProps) {
  const grid = useQuery({ ...gridQuery, enabled: home !== undefined && !is_coming }).data;
  if (is_pending)
    return (
      <div className="lives skeletons" aria-hidden="true">
        {[0, 1, 2, 3].map((index) => (
          <span key={index} className="life">
            <SkeletonBlock width="60px" height="60px" round />
            <SkeletonBlock width="44px" height="1lh" />
          </span>
        ))}
      </div>
    );
  const members = [...(grid?.members ?? [])].sort(
    (one, other) => Number(LIVE.includes(other.state)) - Number(LIVE.includes(one.state)),
  );
  return (
    <section aria-label={i18n.t('Favourites')}>
      <ul className="lives">
        {members.map((tile) => (
          <Favourite key={tile.contact.id} tile={tile} />
        ))}
        {home?.groups.items.map((group) => (
          <li key={group.id}>
            <Link to="/groups/$groupId" params={{ groupId: group.id }} className="life">
              <Avatar name={group.name} url={group.avatar_url} size_px={60} />
              <span className="life-name" dir="auto">
                {group.name}
              </span>
            </Link>
          </li>
        ))}
        <li>
          <Link to="/grid" className="life">
            <span className="life-add">
              <Plus aria-hidden="true" className="icon" />
            </span>
            <span className="life-name">{i18n.t('Favourites')}</span>
          </Link>
        </li>
      </ul>
    </section>
  );
}
