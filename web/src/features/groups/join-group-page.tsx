import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSignedIn } from '../../asterism.ts';
import { openGroupQuery } from '../../data/queries/open-group-query.ts';
import type { PublicGroup } from '../../data/queries/open-group-query.ts';
import { meQuery } from '../../data/queries/me-query.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Brand } from '../../ui/brand/brand.tsx';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem, hasCode, isMissing } from '../../ui/problems/problem.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { isInGroupQuery, useJoinGroup } from './group-link-queries.ts';
import './groups.css';

function JoinFrame({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      {children}
    </main>
  );
}

function Loading() {
  return (
    <JoinFrame>
      <div className="join-group" aria-busy="true">
        <SkeletonBlock width="104px" height="104px" round />
        <PageHeading title={i18n.t('Join a group')} />
        <span className="visually-hidden">{i18n.t('Looking for the group')}</span>
        <SkeletonBlock width="60%" />
        <SkeletonBlock width="100%" height="var(--tap)" />
      </div>
    </JoinFrame>
  );
}

interface GroupFrameProps {
  group: PublicGroup;
  /** What the reader is to the group. */
  intro: string;
  /** What the reader can do. */
  children: ReactNode;
}

/** What the group is, before one joins, and what one can do. */
function GroupFrame({ group, intro, children }: GroupFrameProps) {
  const { name, description, avatar_url, owner, people_count } = group;
  return (
    <JoinFrame>
      <div className="join-group">
        <Avatar name={name} url={avatar_url} size_px={104} />
        <PageHeading title={name} />
        <p className="soft">
          {i18n.t('{count, plural, one {# member} other {# members}}', { count: people_count })}
          {' · '}
          {i18n.t('By {name}, @{username}', { name: nameOf(owner), username: owner.username })}
        </p>
        {description === '' ? null : (
          <p className="rich-text" dir="auto">
            {description}
          </p>
        )}
        <p>{intro}</p>
        {children}
      </div>
    </JoinFrame>
  );
}

/** How the reader relates to the group. */
type Relation = 'stranger' | 'member' | 'owner';

/** How the account that is signed in relates to the group; undefined while that is not known. */
function useRelation(token: string, group: PublicGroup): Relation | undefined {
  const me = useQuery(meQuery);
  const is_verified = me.data?.gate.mobile_verified === true;
  const known = useQuery({ ...isInGroupQuery(token, group), enabled: is_verified });
  if (me.isPending || (is_verified && known.isPending)) return undefined;
  if (me.data?.id === group.owner.id) return 'owner';
  return known.data === true ? 'member' : 'stranger';
}

/** Joins with the account that is signed in. An account without a verified number verifies it first, and returns. */
function Join({ token, relation }: { token: string; relation: Relation }) {
  const navigate = useNavigate();
  const join = useJoinGroup(
    token,
    ({ id }) => void navigate({ to: '/messages/group/$groupId', params: { groupId: id }, replace: true }),
  );
  const is_in = relation !== 'stranger';
  return (
    <>
      {is_in ? null : (
        <p className="soft">{i18n.t('Its members see your name. You can read what is written from now on.')}</p>
      )}
      {join.isError && !hasCode(join.error, 'mobile_unverified') ? (
        <p className="notice" data-tone="danger" role="alert">
          {describeProblem(join.error)}
        </p>
      ) : null}
      <button
        type="button"
        className="button primary full-width"
        disabled={join.isPending}
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

/** The group for somebody with a session. */
function Invitation({ token, group }: { token: string; group: PublicGroup }) {
  const relation = useRelation(token, group);
  if (relation === undefined) return <Loading />;
  const intros = {
    owner: i18n.t('Your group'),
    member: i18n.t('You are a member.'),
    stranger: i18n.t('You are invited to this group.'),
  };
  return (
    <GroupFrame group={group} intro={intros[relation]}>
      <Join token={token} relation={relation} />
    </GroupFrame>
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
  if (group.isPending) return <Loading />;
  const is_gone = group.data === null || hasCode(group.error, 'gone') || isMissing(group.error);
  if (!is_gone && group.data === undefined)
    return (
      <JoinFrame>
        <PageHeading title={i18n.t('Join a group')} />
        <Failure text={describeProblem(group.error)} onRetry={() => void group.refetch()} />
      </JoinFrame>
    );
  if (is_gone || group.data == null)
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
  if (isSignedIn()) return <Invitation token={token} group={group.data} />;
  return (
    <GroupFrame group={group.data} intro={i18n.t('You are invited to this group.')}>
      <SignInToJoin token={token} />
    </GroupFrame>
  );
}
