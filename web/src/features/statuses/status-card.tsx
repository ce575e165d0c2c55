import type { Status } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { MessageCircle, UsersRound } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { When } from '../../ui/when.tsx';
import { MediaView } from '../files/media-view.tsx';
import { useMe } from '../me/me-query.ts';
import { EditStatus } from './edit-status.tsx';
import { Replies } from './replies.tsx';
import { isSending } from './status-cache.ts';
import { StatusMenu } from './status-menu.tsx';

function Byline({ status }: { status: Status }) {
  const { author, tag } = status;
  return (
    <div className="list-main">
      <p>
        <strong>{nameOf(author)}</strong> <span className="soft small">@{author.username}</span>
      </p>
      <p className="soft small status-facts">
        {tag === null ? null : (
          <Link to="/t/$name" params={{ name: tag.name }} className="tag-link">
            <TagName name={tag.name} />
          </Link>
        )}
        {isSending(status) ? (
          <span role="status">Sending…</span>
        ) : (
          <Link to="/status/$postId" params={{ postId: status.id }} className="quiet-link">
            <When at={status.created_at} />
          </Link>
        )}
        {status.edited_at === null ? null : <span>edited</span>}
        {status.visibility === 'public' ? null : (
          <span className="status-audience">
            <UsersRound aria-hidden="true" size={14} />
            Followers
          </span>
        )}
      </p>
    </div>
  );
}

/** One status with everything that can be done about it. */
export function StatusCard({ status, open = false }: { status: Status; open?: boolean }) {
  const id = useId();
  const me = useMe();
  const menu = useRef<HTMLButtonElement>(null);
  const [is_open, setOpen] = useState(open);
  const [is_editing, setEditing] = useState(false);
  const stopEditing = () => {
    setEditing(false);
    requestAnimationFrame(() => menu.current?.focus());
  };
  const count = status.reply_count === 1 ? '1 reply' : `${status.reply_count} replies`;
  return (
    <article
      className="status"
      aria-label={`Status by ${nameOf(status.author)}`}
      data-sending={isSending(status) || undefined}
    >
      <header className="status-head">
        <Avatar name={status.author.username} url={status.author.avatar_url} />
        <Byline status={status} />
        {isSending(status) ? null : (
          <StatusMenu
            status={status}
            is_mine={status.author.id === me?.id}
            trigger={menu}
            onEdit={() => setEditing(true)}
          />
        )}
      </header>
      {is_editing ? (
        <EditStatus status={status} onDone={stopEditing} />
      ) : (
        <RichText text={status.body} mentions={status.mentions} />
      )}
      <MediaView files={status.media} by={nameOf(status.author)} />
      {isSending(status) ? null : (
        <footer>
          <button
            type="button"
            className="button button-plain status-action"
            aria-expanded={is_open}
            aria-controls={`${id}-replies`}
            onClick={() => setOpen(!is_open)}
          >
            <MessageCircle aria-hidden="true" />
            {status.reply_count === 0 ? 'Reply' : count}
          </button>
        </footer>
      )}
      <div id={`${id}-replies`}>{is_open ? <Replies status={status} me_id={me?.id} /> : null}</div>
    </article>
  );
}
