import type { Tag } from '@asterism/sdk';
import { lazyRouteComponent, Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import type { CSSProperties } from 'react';
import { Bell } from 'lucide-react';
import { firstNameOf } from '../../ui/avatar.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { observeSize } from '../../ui/hooks/observe-size.ts';
import { TagCard } from '../../ui/brand/tag-sky.tsx';
import { ActiveCallBanner } from '../calls/incoming/active-call-banner.tsx';
import { SearchButton, SearchIconButton } from '../commands/search-button.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { unreadQuery } from '../../data/queries/notification-queries.ts';
import { Composer } from '../statuses/composer.tsx';
import { Feed } from '../statuses/feed.tsx';
import { useAreTagsLoading, useHasNoTag, useOwnTags } from '../../data/queries/tag-queries.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Agenda } from './agenda.tsx';
import { ForYou } from './for-you.tsx';
import { useHome } from './home-queries.ts';
import { FavouritesRow } from './favourites-row.tsx';
import './home.css';
import { i18n } from '../../i18n/i18n.ts';

/** A greeting by the reader's local hour. @param name of the reader, once it is known */
function greet(name: string | undefined, hour = new Date().getHours()): string {
  if (hour < 5 || hour >= 18)
    return name === undefined ? i18n.t('Good evening') : i18n.t('Good evening, {name}', { name });
  if (hour < 12) return name === undefined ? i18n.t('Good morning') : i18n.t('Good morning, {name}', { name });
  return name === undefined ? i18n.t('Good afternoon') : i18n.t('Good afternoon, {name}', { name });
}

/** Links to search and activity, which have no tab on a phone. */
function HeadActions() {
  const count = useQuery({ ...unreadQuery, enabled: useMe()?.gate.mobile_verified === true }).data?.count ?? 0;
  return (
    <span className="head-actions narrow">
      <SearchIconButton />
      <Link to="/notifications" className="icon-button">
        <Bell aria-hidden="true" />
        {count === 0 ? null : <span className="dot red" />}
        <span className="visually-hidden">
          {count === 0 ? i18n.t('Activity') : i18n.t('Activity {count} unread', { count })}
        </span>
      </Link>
    </span>
  );
}

/** Loaded while somebody has a tag that nobody follows. */
const ShareTag = lazyRouteComponent(() => import('../profiles/share-tag.tsx'), 'ShareTag');

/** Nobody follows any of these tags yet. */
const haveNoFollowers = (tags: readonly Tag[]) => tags.every(({ follower_count }) => follower_count === 0);

/** A tag as a card that leads to it. */
function CardLink({ name, title }: { name: string; title: string }) {
  return (
    <Link to="/t/$name" params={{ name }} className="tag-card-link">
      <TagCard name={name}>
        <span className="title">{title}</span>
      </TagCard>
    </Link>
  );
}

/** The reader's own card, with a button to share it while nobody follows them, or a link to create the first tag. */
function OwnCard() {
  const tags = useOwnTags();
  const [tag] = tags;
  const is_loading = useAreTagsLoading();
  const has_none = useHasNoTag();
  if (is_loading) return <SkeletonBlock height="176px" />;
  if (has_none)
    return (
      <Link to="/tags" className="tag-card-link">
        <TagCard name="your name">
          <span className="title">{i18n.t('Create your tag: one name that reaches you')}</span>
        </TagCard>
      </Link>
    );
  if (tag === undefined) return null;
  if (!haveNoFollowers(tags)) {
    const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count });
    return <CardLink name={tag.name} title={i18n.t('Your tag · {followers}', { followers })} />;
  }
  return (
    <div className="own-card">
      <CardLink name={tag.name} title={i18n.t('Share your tag, so that people can follow and call you')} />
      <div className="own-card-share night">
        <Suspense fallback={null}>
          <ShareTag name={tag.name} has_label />
        </Suspense>
      </div>
    </div>
  );
}

/** On a phone, the card of a reader who has no tag yet, or whose tags nobody follows yet. */
function FirstTag() {
  const tags = useOwnTags();
  const has_none = useHasNoTag();
  if (!has_none && (tags.length === 0 || !haveNoFollowers(tags))) return null;
  return (
    <div className="narrow home-first-tag">
      <OwnCard />
    </div>
  );
}

const HEIGHT_KEY = 'asterism.home-side';

/** The height of the upper sections when the page was last shown, reserved while they are loading; 0 if it never was. */
function savedHeight(): number {
  try {
    return Number(localStorage.getItem(HEIGHT_KEY)) || 0;
  } catch {
    return 0;
  }
}

function saveHeight(height_px: number): void {
  try {
    localStorage.setItem(HEIGHT_KEY, String(height_px));
  } catch {
    // Without storage the lower part is hidden until they have loaded, as on a first visit.
  }
}

/** The start page: who is in a call, what awaits the reader and comes next, and the feed. */
export function HomePage() {
  const me = useMe();
  const {
    data: home,
    isPending: is_pending,
    isLoading: is_loading,
    isError: is_broken,
    is_coming,
    error,
    refetch,
  } = useHome();
  const verified = me?.gate.mobile_verified === true;
  const reserved_px = is_pending ? savedHeight() : undefined;
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (is_coming || side.current === null) return undefined;
    return observeSize(side.current, ({ height }) => saveHeight(Math.round(height)));
  }, [is_coming]);
  return (
    <main id="main" tabIndex={-1} className="home">
      <div className="home-top">
        <header className="page-head">
          <PageHeading title={greet(me && firstNameOf(me))} />
          <HeadActions />
        </header>
        <ActiveCallBanner />
        <FavouritesRow home={home} is_pending={is_pending} is_coming={is_coming} />
      </div>
      <div
        ref={side}
        className="home-side"
        style={reserved_px === undefined ? undefined : ({ '--saved-height': `${reserved_px}px` } as CSSProperties)}
      >
        <div className="wide flex home-own">
          <SearchButton />
          <OwnCard />
        </div>
        {verified ? <ForYou /> : null}
        {is_broken ? (
          <section aria-label={i18n.t('Today')}>
            <Failure text={describeProblem(error)} onRetry={() => void refetch()} />
          </section>
        ) : null}
        {is_broken && home === undefined ? null : <Agenda home={home} is_pending={is_pending} />}
      </div>
      <div className={is_loading && reserved_px === 0 ? 'home-main held' : 'home-main'}>
        {verified ? <Composer me={me} /> : null}
        <Feed ready={!is_coming} />
        {verified && !is_coming ? <FirstTag /> : null}
      </div>
    </main>
  );
}
