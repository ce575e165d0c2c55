import type { Reply } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { MessageCircle, Phone } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { GoBack } from '../../ui/back-link.tsx';
import { Aster } from '../../ui/brand/aster.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Main, PageHeading } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { Net, skyStyle } from '../../ui/brand/tag-sky.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { MediaView } from '../files/media-view.tsx';
import { useOpenThread } from '../../data/open-thread.ts';
import { useFocus } from '../../data/stream.ts';
import { FollowButton } from '../follows/follow-button.tsx';
import { StatusList } from '../statuses/status-list.tsx';
import { Comments } from './comments.tsx';
import { ShareTag } from './share-tag.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import './profiles.css';
import { i18n } from '../../i18n/i18n.ts';
import { profileLiveKey, profileQuery } from '../../data/queries/profile-queries.ts';

type Profile = Reply<'profiles', 'getProfile'>;

/** The interval at which a visible page checks whether the owner has gone live. */
const LIVE_EVERY_MS = 15_000;

function Live({ profile }: { profile: Profile }) {
  const { name } = profile.tag;
  const live = useQuery({
    queryKey: profileLiveKey(name),
    queryFn: ({ signal }) => sdk.profiles.getProfileLive({ path: { xtag: name }, signal }),
    initialData: profile.live,
    refetchInterval: LIVE_EVERY_MS,
  }).data;
  if (!live.live || live.join_code === undefined) return null;
  return (
    <Link
      to="/j/$joinCode"
      params={{ joinCode: live.join_code }}
      className="live"
      aria-label={i18n.t('Live, {count} talking: join', { count: live.participant_count ?? 0 })}
    >
      <span className="dot" />
      {i18n.t('Live, {count} talking', { count: live.participant_count ?? 0 })}
    </Link>
  );
}

function HeroActions({ profile }: { profile: Profile }) {
  const { tag } = profile;
  const start = useStartCall();
  const open = useOpenThread();
  return (
    <div className="heroacts">
      {tag.is_mine ? (
        <Link to="/tags/$tagId" params={{ tagId: tag.id }} className="button gold">
          {i18n.t('Change this tag')}
        </Link>
      ) : (
        <>
          <button
            type="button"
            className="button gold"
            disabled={start.isPending}
            onClick={() => start.mutate([{ tag: tag.name }])}
          >
            <Phone aria-hidden="true" />
            {i18n.t('Call')}
          </button>
          <FollowButton tag={tag} />
          <button
            type="button"
            className="button quiet"
            disabled={open.isPending}
            onClick={() => open.mutate({ tag: tag.name })}
          >
            <MessageCircle aria-hidden="true" />
            {i18n.t('Message')}
          </button>
        </>
      )}
    </div>
  );
}

function Hero({ profile }: { profile: Profile }) {
  const { tag, owner } = profile;
  const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count });
  return (
    <section className="hero tagsky night" aria-label={i18n.t('About')} style={skyStyle(tag.name)}>
      <Net name={tag.name} />
      <div className="hero-top night">
        <GoBack to="/search" />
        <ShareTag name={tag.name} />
        {tag.is_mine ? null : <PersonMenu person={owner} />}
      </div>
      <Live key={tag.id} profile={profile} />
      <PageHeading title={`*${tag.name}`} className="tagname">
        <Aster />
        {tag.name}
      </PageHeading>
      {tag.title === '' ? null : (
        <p className="title" dir="auto">
          {tag.title}
        </p>
      )}
      <div className="owner">
        <Avatar name={owner.username} called={nameOf(owner)} url={owner.avatar_url} size_px={24} />
        <span>
          <PersonLink person={owner} /> · {followers}
        </span>
      </div>
      <HeroActions profile={profile} />
    </section>
  );
}

/** The profile of a tag: its owner, their statuses under it, and comments. */
export function TagProfilePage() {
  const { name } = useParams({ from: '/signed-in/reading/people/t/$name' });
  const profile = useQuery(profileQuery(name));
  useFocus('tag', profile.data?.tag.id);
  const back = <GoBack to="/search" />;
  if (profile.isPending) return <PageSkeleton back={back} what={i18n.t('Loading the profile')} />;
  if (profile.data === undefined)
    return (
      <MissingPage
        back={back}
        error={profile.error}
        onRetry={() => void profile.refetch()}
        what={i18n.t('Profile')}
        title={i18n.t('Profile not found')}
        text={i18n.t('It may have been deleted, or you don’t have access.')}
      >
        <Link to="/search" className="button primary">
          {i18n.t('Search')}
        </Link>
      </MissingPage>
    );
  const { tag, statuses, owner } = profile.data;
  const has_about = tag.description !== '' || tag.media.length > 0;
  return (
    <Main className="tagpage">
      <Hero profile={profile.data} />
      <div className="tagposts">
        {has_about ? (
          <section className="stack" aria-label={i18n.t('What it is about')}>
            {tag.description === '' ? null : (
              <p className="rich-text" dir="auto">
                {tag.description}
              </p>
            )}
            <MediaView files={tag.media} by={nameOf(owner)} />
          </section>
        ) : null}
        <section aria-labelledby="statuses-heading">
          <h2 id="statuses-heading">{i18n.t('Latest')}</h2>
          {statuses.length === 0 ? (
            <p className="soft">{tag.is_mine ? i18n.t('Nothing posted yet.') : i18n.t('No posts you can read yet.')}</p>
          ) : null}
          <StatusList statuses={statuses} address={`/t/${tag.name}`} />
        </section>
        <Comments profile={profile.data} />
        {tag.is_mine ? null : (
          <Link to="/tags/$tagId" params={{ tagId: tag.id }} className="button quiet tag-more">
            {i18n.t('Room and followers')}
          </Link>
        )}
      </div>
    </Main>
  );
}
