import type { Status } from '@asterism/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { Suspense, useId, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { CardsBelow } from '../link-cards/cards-below.tsx';
import { RichText } from '../../ui/text/rich-text.tsx';
import { When } from '../../ui/when.tsx';
import { MediaView } from '../files/media-view.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { EditStatus, Replies } from './lazy-parts.ts';
import { isSending } from './status-cache.ts';
import { isReadingList } from '../../ui/panes/reading-list.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { StatusActions } from './status-actions.tsx';
import './statuses.css';

/** The page of a status, which is opened beside the list that it is in. */
function useStatusLink({ id }: Status, list: string | undefined) {
  const beside = useListBeside();
  const state = isReadingList(beside.list) ? beside : { list };
  return { to: '/status/$postId', params: { postId: id }, state } as const;
}

/** What handles a press itself, inside of a status that is opened by a press. */
const CONTROLS = 'a, button, input, textarea, label, video, audio, .media, .replies, [role="dialog"]';

/** Opens a status where it is pressed, except on its controls, and unless text of it was selected. */
function useOpenByPress(link: ReturnType<typeof useStatusLink>, is_wanted: boolean) {
  const navigate = useNavigate();
  if (!is_wanted) return {};
  return {
    'data-opens': '',
    onClick: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
      // Events of a menu or dialog of the status arrive here as well.
      if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest(CONTROLS) !== null) return;
      if (getSelection()?.isCollapsed === false) return;
      void navigate(link);
    },
  };
}

function Byline({ status, link }: { status: Status; link: ReturnType<typeof useStatusLink> }) {
  const { author, tag } = status;
  return (
    <div className="who">
      <span className="who-names">
        <PersonLink person={author} />
        {tag === null ? null : (
          <Link to="/t/$name" params={{ name: tag.name }} className="tag-link">
            <TagName name={tag.name} />
          </Link>
        )}
      </span>
      <span className="status-facts">
        {status.visibility === 'public' ? null : (
          <span className="status-audience">
            <UsersRound aria-hidden="true" size={14} />
            {i18n.t('Followers')}
          </span>
        )}
        {status.edited_at === null ? null : <span>{i18n.t('edited')}</span>}
        {isSending(status) ? (
          <span role="status">{i18n.t('Sending…')}</span>
        ) : (
          <Link {...link} className="quiet-link">
            <When at={status.created_at} className="" is_short />
          </Link>
        )}
      </span>
    </div>
  );
}

interface StatusCardProps {
  status: Status;
  open?: boolean;
  /** The address of the list that it belongs to, if that is not the feed. */
  list?: string;
  /** Whether it is visible at once, so that its pictures are requested without delay. */
  is_near?: boolean;
}

/** One status with all its actions. */
export function StatusCard({ status, open = false, list, is_near = open }: StatusCardProps) {
  const id = useId();
  const me = useMe();
  const menu = useRef<HTMLButtonElement>(null);
  const [is_open, setOpen] = useState(open);
  const [is_editing, setEditing] = useState(false);
  const link = useStatusLink(status, list);
  const press = useOpenByPress(link, !open && !is_editing && !isSending(status));
  const stopEditing = () => {
    setEditing(false);
    requestAnimationFrame(() => menu.current?.focus());
  };
  return (
    <article
      className="status"
      aria-label={i18n.t('Post by {name}', { name: nameOf(status.author) })}
      data-sending={isSending(status) || undefined}
      {...press}
    >
      <Avatar name={status.author.username} called={nameOf(status.author)} url={status.author.avatar_url} />
      <div className="main">
        <Byline status={status} link={link} />
        {is_editing ? (
          <Suspense fallback={<RichText text={status.body} mentions={status.mentions} />}>
            <EditStatus status={status} onDone={stopEditing} />
          </Suspense>
        ) : (
          <RichText text={status.body} mentions={status.mentions} />
        )}
        <CardsBelow text={status.body} />
        <MediaView files={status.media} by={nameOf(status.author)} at={status.created_at} is_near={is_near} />
        {isSending(status) ? null : (
          <StatusActions
            status={status}
            is_mine={status.author.id === me?.id}
            is_open={is_open}
            controls={`${id}-replies`}
            onOpen={() => setOpen(!is_open)}
            menu={menu}
            onEdit={() => setEditing(true)}
          />
        )}
        <div id={`${id}-replies`}>
          {is_open ? (
            <Suspense fallback={null}>
              <Replies status={status} me_id={me?.id} />
            </Suspense>
          ) : null}
        </div>
      </div>
    </article>
  );
}
