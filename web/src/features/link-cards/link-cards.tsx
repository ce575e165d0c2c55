import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { mayStart, callTitleOf } from '../../data/queries/call-queries.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { useStartCall } from '../../data/start-call.ts';
import { i18n } from '../../i18n/i18n.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { FollowButton } from '../follows/follow-button.tsx';
import { mayReadCard } from './card-reads.ts';
import { callCardQuery, groupCardQuery, isCardFresh, personCardQuery, tagCardQuery } from './link-card-queries.ts';
import { findOwnLinks } from './own-links.ts';
import type { OwnLink } from './own-links.ts';
import './link-cards.css';

interface CardProps {
  picture: ReactNode;
  name: string;
  detail: string;
  /** The page that the name opens. */
  to: Pick<LinkProps, 'to' | 'params'>;
  act: ReactNode;
}

function Card({ picture, name, detail, to, act }: CardProps) {
  const beside = useListBeside();
  return (
    <div className="link-card" role="group" aria-label={name}>
      {picture}
      <div className="link-card-words">
        <Link {...to} state={beside} className="link-card-name" dir="auto">
          {name}
        </Link>
        <span className="link-card-detail" dir="auto">
          {detail}
        </span>
      </div>
      {act}
    </div>
  );
}

/** The place of a card that is being read; what the reader may not see leaves none. */
function Place({ is_pending }: { is_pending: boolean }) {
  return is_pending ? <div className="link-card" aria-hidden="true" /> : null;
}

/** A link that looks like a button. */
const buttonLink = (to: Pick<LinkProps, 'to' | 'params'>, label: string, name: string) => (
  <Link {...to} className="button quiet small" aria-label={`${label} ${name}`}>
    {label}
  </Link>
);

function TagCard({ id }: { id: string }) {
  const { data, isPending } = useQuery(tagCardQuery(id));
  if (data === undefined) return <Place is_pending={isPending} />;
  const { tag } = data;
  const to = { to: '/t/$name', params: { name: tag.name } } as const;
  return (
    <Card
      picture={<TagSky name={tag.name} size_px={40} />}
      name={`*${tag.name}`}
      detail={[
        tag.title,
        i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count }),
      ]
        .filter((one) => one !== '')
        .join(' · ')}
      to={to}
      act={<FollowButton tag={tag} />}
    />
  );
}

function CallButton({ user_id, name }: { user_id: string; name: string }) {
  const start = useStartCall();
  return (
    <button
      type="button"
      className="button primary"
      aria-label={i18n.t('Call {name}', { name })}
      aria-disabled={start.isPending}
      onClick={() => start.isPending || start.mutate([{ user_id }])}
    >
      <Phone aria-hidden="true" />
      {i18n.t('Call')}
    </button>
  );
}

function PersonCard({ id }: { id: string }) {
  const { data, isPending } = useQuery(personCardQuery(id));
  const me = useMe();
  if (data === undefined) return <Place is_pending={isPending} />;
  const { user } = data;
  const name = nameOf(user);
  const to = { to: '/u/$userId', params: { userId: user.id } } as const;
  return (
    <Card
      picture={<Avatar name={user.username} called={name} url={user.avatar_url} size_px={40} />}
      name={name}
      detail={`@${user.username}`}
      to={to}
      act={user.id === me?.id ? null : <CallButton user_id={user.id} name={name} />}
    />
  );
}

function GroupCard({ id }: { id: string }) {
  const { data, isPending } = useQuery(groupCardQuery(id));
  if (data === undefined || data === null) return <Place is_pending={isPending} />;
  const to = { to: '/join-group/$token', params: { token: id } } as const;
  return (
    <Card
      picture={<Avatar name={data.name} url={data.avatar_url} size_px={40} />}
      name={data.name}
      detail={`${i18n.t('Group')} · ${i18n.t('{count, plural, one {# member} other {# members}}', { count: data.people_count })}`}
      to={to}
      act={buttonLink(to, i18n.t('Join'), data.name)}
    />
  );
}

const callIcon = (
  <span className="link-card-sky night" aria-hidden="true">
    <Phone size={20} />
  </span>
);

function CallCard({ id }: { id: string }) {
  const { data, error, isPending } = useQuery(callCardQuery(id));
  const to = { to: '/j/$joinCode', params: { joinCode: id } } as const;
  // A room, or the call of an event, in which nobody is.
  if (mayStart(error)) {
    const name = callTitleOf(error) ?? i18n.t('Room');
    return (
      <Card
        picture={callIcon}
        name={name}
        detail={i18n.t('No one is here yet')}
        to={to}
        act={buttonLink(to, i18n.t('Join'), name)}
      />
    );
  }
  if (data === undefined || error !== null || data.state === 'ended') return <Place is_pending={isPending} />;
  const name = i18n.t('Call with {name}', { name: nameOf(data.host) });
  const count = data.participants.filter(({ state }) => state === 'joined').length;
  return (
    <Card
      picture={callIcon}
      name={name}
      detail={i18n.t('{count, plural, one {# person is in} other {# people are in}}', { count })}
      to={to}
      act={buttonLink(to, i18n.t('Join'), name)}
    />
  );
}

const cards = { tag: TagCard, person: PersonCard, group: GroupCard, call: CallCard };

/** A card that is read once it comes into view, with some room around it; none if too many were read before it. */
function LazyCard(link: OwnLink) {
  const { kind, id } = link;
  const queries = useQueryClient();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'far' | 'near' | 'left'>('far');
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setState(isCardFresh(queries, link) || mayReadCard(performance.now()) ? 'near' : 'left');
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const Kind = cards[kind];
  if (state === 'left') return null;
  return <div ref={place}>{state === 'near' ? <Kind id={id} /> : <Place is_pending />}</div>;
}

/** The cards of what a text links to in this service. Guests have no pages of it. */
export function LinkCards({ text }: { text: string }) {
  const is_signed_in = useMe() !== undefined;
  const links = useMemo(() => findOwnLinks(text, location.origin), [text]);
  if (!is_signed_in || links.length === 0) return null;
  return (
    <div className="link-cards">
      {links.map((link) => (
        <LazyCard key={`${link.kind} ${link.id}`} {...link} />
      ))}
    </div>
  );
}
