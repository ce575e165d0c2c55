import type { Call } from '@asterism/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { LobbySkeleton } from '../call-skeleton.tsx';
import { describeProblem, isMissing } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMe } from '../../../data/queries/me-query.ts';
import { callQuery, mayStart, ownParticipant, previewQuery, callTitleOf } from '../../../data/queries/call-queries.ts';
import { saveSources } from '../state/saved-sources.ts';
import { Lobby, searchOf, sourcesOf, useLobby } from './lobby.tsx';
import { StartPage } from './start-page.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { listNames } from '../../../i18n/list-names.ts';

/** The interval of polling an empty room for its call, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;

/** The lobby before joining, or an answer to a ringing call. */
function PreJoin({ call, rings }: { call: Call; rings: boolean }) {
  const navigate = useNavigate();
  const lobby = useLobby();
  const joinCode = call.join_code;
  const decline = useMutation({
    mutationFn: () => sdk.calls.declineCall({ path: { join_code: joinCode } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => void navigate({ to: '/' }),
  });
  return (
    <Lobby {...lobby}>
      {call.recording === null ? null : (
        <p className="notice" data-tone="danger" role="status">
          {i18n.t('This call is being recorded. Join if you agree to be recorded.')}
        </p>
      )}
      <button
        type="button"
        className="button primary"
        onClick={() => {
          saveSources(joinCode, sourcesOf(lobby.choices));
          void navigate({
            to: '/call/$joinCode',
            params: { joinCode },
            search: searchOf(lobby.choices),
            replace: true,
          });
        }}
      >
        {i18n.t('Join')}
      </button>
      {rings ? (
        <button type="button" className="button danger" disabled={decline.isPending} onClick={() => decline.mutate()}>
          {i18n.t('Decline')}
        </button>
      ) : null}
    </Lobby>
  );
}

/** The way to join for people who were not called, where the call admits guests. */
function GuestWay({ join_code }: { join_code: string }) {
  const preview = useQuery(previewQuery(join_code));
  if (preview.data === undefined)
    return (
      <Link to="/calls" className="button primary">
        {i18n.t('Call someone')}
      </Link>
    );
  return (
    <Link to="/g/$joinCode" params={{ joinCode: join_code }} className="button primary">
      {preview.data.guests === 'open' ? i18n.t('Join as a guest') : i18n.t('Ask to join as a guest')}
    </Link>
  );
}

/** The page of a join link: who is there, the lobby, and the join button. */
export function JoinPage() {
  const { joinCode } = useParams({ from: '/signed-in/j/$joinCode' });
  const me = useMe();
  const call = useQuery({
    ...callQuery(joinCode),
    // Polls an empty room until somebody has joined.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (mayStart(state.error) ? POLL_INTERVAL_MS : false),
  });
  if (call.isPending) return <LobbySkeleton title={i18n.t('Join a call')} what={i18n.t('Looking for the call')} />;
  if (mayStart(call.error)) return <StartPage join_code={joinCode} title={callTitleOf(call.error)} />;
  if (call.isError) {
    if (!isMissing(call.error))
      return (
        <Page title={i18n.t('Join a call')} narrow>
          <Failure text={describeProblem(call.error)} onRetry={() => void call.refetch()} />
        </Page>
      );
    return (
      <main id="main" tabIndex={-1} className="page page-narrow">
        <EmptyState
          level={1}
          title={i18n.t('Call not found')}
          text={i18n.t('The call may be over, or it isn’t open to you.')}
        >
          <GuestWay join_code={joinCode} />
        </EmptyState>
      </main>
    );
  }
  const { host, participants, state } = call.data;
  const rings = ownParticipant(call.data, me?.id)?.state === 'ringing';
  const invitation =
    host.id === me?.id
      ? i18n.t('Your call')
      : rings
        ? i18n.t('{name} is calling you', { name: nameOf(host) })
        : i18n.t('{name} invites you', { name: nameOf(host) });
  const inside = participants.filter((one) => one.state === 'joined').map((one) => one.name);
  return (
    <Page title={state === 'ended' ? i18n.t('This call is over') : invitation} narrow>
      <section className="card" aria-label={i18n.t('Before you join')}>
        <div className="cluster">
          <Avatar name={host.username} called={nameOf(host)} url={host.avatar_url} />
          <p className="list-main soft">
            {state === 'ended' ? (
              <bdi>{nameOf(host)}</bdi>
            ) : inside.length === 0 ? (
              i18n.t('No one is here yet')
            ) : (
              i18n.t('In now: {names}', { names: listNames(inside, 'comma') })
            )}
          </p>
        </div>
        {state === 'ended' ? null : <PreJoin call={call.data} rings={rings} />}
      </section>
    </Page>
  );
}
