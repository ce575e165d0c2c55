import type { Reply } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { MessageSquare, Phone, Radio } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Page, Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useStartCall } from '../calls/start-call.ts';
import { MediaView } from '../files/media-view.tsx';
import { useOpenThread } from '../messages/message-acts.ts';
import { useLook } from '../realtime/stream-context.tsx';
import { FollowButton } from '../follows/follow-button.tsx';
import { StatusCard } from '../statuses/status-card.tsx';
import { Comments } from './comments.tsx';

type Profile = Reply<'profiles', 'getProfile'>;

/** How often a page that is looked at asks whether its owner has gone live. */
const LIVE_EVERY_MS = 15_000;

function Live({ profile }: { profile: Profile }) {
  const { name } = profile.tag;
  const live = useQuery({
    queryKey: ['profile-live', name],
    queryFn: ({ signal }) => sdk.profiles.getProfileLive({ path: { xtag: name }, signal }),
    initialData: profile.live,
    refetchInterval: LIVE_EVERY_MS,
  }).data;
  if (!live.live || live.join_code === undefined) return null;
  const people = live.participant_count === 1 ? '1 person' : `${live.participant_count ?? 0} people`;
  return (
    <section className="banner" aria-label="Live now">
      <Radio aria-hidden="true" />
      <p>
        <strong>Live now</strong> with {people}
      </p>
      <Link to="/j/$joinCode" params={{ joinCode: live.join_code }} className="button">
        Join
      </Link>
    </section>
  );
}

function Head({ profile }: { profile: Profile }) {
  const { tag, owner } = profile;
  const start = useStartCall();
  const open = useOpenThread();
  const followers = tag.follower_count === 1 ? '1 follower' : `${tag.follower_count} followers`;
  const statuses = profile.status_count === 1 ? '1 status' : `${profile.status_count} statuses`;
  return (
    <section className="card" aria-label="About">
      <div className="cluster profile-head">
        <Avatar name={owner.username} url={owner.avatar_url} size_px={72} />
        <div className="list-main">
          <p>
            <strong>{nameOf(owner)}</strong> <span className="soft small">@{owner.username}</span>
          </p>
          <p className="soft small">
            {followers} · {statuses}
          </p>
        </div>
        {tag.is_mine ? null : <PersonMenu person={owner} />}
      </div>
      {tag.description === '' ? null : <p className="rich-text">{tag.description}</p>}
      <MediaView files={tag.media} by={nameOf(owner)} />
      <div className="cluster">
        {tag.is_mine ? null : <FollowButton tag={tag} />}
        {tag.is_mine ? null : (
          <button
            type="button"
            className="button button-quiet"
            disabled={start.isPending}
            onClick={() => start.mutate([{ tag: tag.name }])}
          >
            <Phone aria-hidden="true" />
            Call
          </button>
        )}
        {tag.is_mine ? null : (
          <button
            type="button"
            className="button button-quiet"
            disabled={open.isPending}
            onClick={() => open.mutate({ tag: tag.name })}
          >
            <MessageSquare aria-hidden="true" />
            Message
          </button>
        )}
        <Link to="/tags/$tagId" params={{ tagId: tag.id }} className="button button-quiet">
          {tag.is_mine ? 'Change this tag' : 'More about this tag'}
        </Link>
      </div>
    </section>
  );
}

/** What a tag shows to whoever may open it: who is behind it, what they said under it, and what others say to that. */
export function TagProfilePage() {
  const { name } = useParams({ from: '/signed-in/t/$name' });
  const profile = useQuery({
    queryKey: ['profile', name],
    queryFn: ({ signal }) => sdk.profiles.getProfile({ path: { xtag: name }, signal }),
  });
  useLook('tag', profile.data?.tag.id);
  if (profile.isPending) return <Waiting what="Fetching the profile" />;
  if (profile.isError) {
    return (
      <Page title="There is no such profile" narrow>
        <p className="notice" role="alert">
          {describeProblem(profile.error)} It may be deleted, or meant for others.
        </p>
        <Link to="/search" className="button">
          Search
        </Link>
      </Page>
    );
  }
  const { tag, statuses } = profile.data;
  return (
    <Page title={tag.title === '' ? `*${tag.name}` : tag.title} intro={tag.title === '' ? undefined : `*${tag.name}`}>
      <Live key={tag.id} profile={profile.data} />
      <div className="home-grid">
        <div className="stack">
          <Head profile={profile.data} />
          <section className="stack" aria-labelledby="statuses-heading">
            <h2 id="statuses-heading">Latest statuses</h2>
            {statuses.length === 0 ? <p className="notice">Nothing that you may read yet.</p> : null}
            <ul className="statuses">
              {statuses.map((status) => (
                <li key={status.id}>
                  <StatusCard status={status} />
                </li>
              ))}
            </ul>
          </section>
        </div>
        <Comments profile={profile.data} />
      </div>
    </Page>
  );
}
