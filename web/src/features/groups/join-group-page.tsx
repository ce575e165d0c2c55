import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSignedIn } from '../../asterism.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Brand } from '../../ui/brand/brand.tsx';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem, hasCode, isMissing } from '../../ui/problems/problem.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { isInGroupQuery, openGroupQuery, useJoinGroup } from './group-link-queries.ts';
import type { PublicGroup } from './group-link-queries.ts';
import './groups.css';

function JoinFrame({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      {children}
    </main>
  );
}

/** What the group is, before one joins. */
function About({ group: { name, description, owner, people_count } }: { group: PublicGroup }) {
  return (
    <>
      <div className="join-group-head">
        <Avatar name={name} size_px={72} />
        <div className="list-main">
          <p>{i18n.t('{count, plural, one {# member} other {# members}}', { count: people_count })}</p>
          <p className="soft small">
            {i18n.t('By {name}, @{username}', { name: nameOf(owner), username: owner.username })}
          </p>
        </div>
      </div>
      {description === '' ? null : (
        <p className="rich-text" dir="auto">
          {description}
        </p>
      )}
    </>
  );
}

/** Joins with the account that is signed in. An account without a verified number verifies it first, and returns. */
function Join({ token, group }: { token: string; group: PublicGroup }) {
  const me = useMe();
  const navigate = useNavigate();
  const known = useQuery({ ...isInGroupQuery(token, group), enabled: me?.gate.mobile_verified === true });
  const is_in = known.data === true;
  const join = useJoinGroup(
    token,
    ({ id }) => void navigate({ to: '/messages/group/$groupId', params: { groupId: id }, replace: true }),
  );
  const is_known = me !== undefined && !known.isLoading;
  return (
    <>
      <p className="soft">
        {is_in
          ? i18n.t('You are a member.')
          : i18n.t('Its members see your name. You can read what is written from now on.')}
      </p>
      {join.isError && !hasCode(join.error, 'mobile_unverified') ? (
        <p className="notice" data-tone="danger" role="alert">
          {describeProblem(join.error)}
        </p>
      ) : null}
      <button
        type="button"
        className="button primary full-width"
        disabled={!is_known || join.isPending}
        onClick={() => join.mutate()}
      >
        {is_in ? i18n.t('Open group') : i18n.t('Join group')}
      </button>
      <Link to="/" className="button quiet full-width">
        {is_in ? i18n.t('Home') : i18n.t('Not now')}
      </Link>
    </>
  );
}

/** What somebody without a session can do: the sign-in and the registration lead back here. */
function SignInToJoin({ token }: { token: string }) {
  const next = `/join-group/${token}`;
  return (
    <>
      <p className="soft">{i18n.t('You need an account to join.')}</p>
      <Link to="/sign-in" search={{ next }} className="button primary full-width">
        {i18n.t('Sign in to join')}
      </Link>
      <Link to="/register" search={{ next }} className="button quiet full-width">
        {i18n.t('Create account')}
      </Link>
    </>
  );
}

/** The page of a group's invite link, for everybody who has it. */
export function JoinGroupPage() {
  const { token } = useParams({ from: '/join-group/$token' });
  const group = useQuery(openGroupQuery(token));
  if (group.isPending)
    return (
      <JoinFrame>
        <PageHeading title={i18n.t('Join a group')} />
        <section className="card" aria-busy="true" aria-label={i18n.t('Looking for the group')}>
          <SkeletonBlock width="60%" />
          <SkeletonBlock width="100%" height="var(--tap)" />
        </section>
      </JoinFrame>
    );
  if (group.data === undefined && !hasCode(group.error, 'gone') && !isMissing(group.error))
    return (
      <JoinFrame>
        <PageHeading title={i18n.t('Join a group')} />
        <Failure text={describeProblem(group.error)} onRetry={() => void group.refetch()} />
      </JoinFrame>
    );
  if (group.data == null)
    return (
      <JoinFrame>
        <EmptyState
          level={1}
          title={i18n.t('This link no longer works')}
          text={i18n.t('It was revoked, or the group is gone. Ask someone in the group for a new link.')}
        >
          <Link to="/" className="button primary">
            {isSignedIn() ? i18n.t('Home') : i18n.t('Sign in')}
          </Link>
        </EmptyState>
      </JoinFrame>
    );
  return (
    <JoinFrame>
      <div className="stack-small">
        <PageHeading title={group.data.name} />
        <p className="soft">{i18n.t('You are invited to this group.')}</p>
      </div>
      <section className="card" aria-label={i18n.t('About this group')}>
        <About group={group.data} />
        {isSignedIn() ? <Join token={token} group={group.data} /> : <SignInToJoin token={token} />}
      </section>
    </JoinFrame>
  );
}
