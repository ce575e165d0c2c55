import type { Call } from '@asterism/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Page, Waiting } from '../../../ui/page.tsx';
import { describeProblem } from '../../../ui/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMe } from '../../me/me-query.ts';
import { callQuery, placeIn, previewQuery } from '../state/call-queries.ts';
import { Lobby, useLobby } from './lobby.tsx';

/** Chooses how one goes in, and goes; or declines what rings. */
function WayIn({ call, rings }: { call: Call; rings: boolean }) {
  const navigate = useNavigate();
  const lobby = useLobby();
  const { microphone, camera } = lobby.choices;
  const joinCode = call.join_code;
  const decline = useMutation({
    mutationFn: () => sdk.calls.declineCall({ path: { join_code: joinCode } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => void navigate({ to: '/' }),
  });
  const search = {
    microphone: microphone ? undefined : ('off' as const),
    camera: camera ? ('on' as const) : undefined,
  };
  return (
    <Lobby {...lobby}>
      {call.recording === null ? null : (
        <p className="notice" data-tone="danger" role="status">
          This call is being recorded. Go in if you agree that what you say and show is saved.
        </p>
      )}
      <button
        type="button"
        className="button"
        onClick={() => void navigate({ to: '/call/$joinCode', params: { joinCode }, search })}
      >
        Join
      </button>
      {rings ? (
        <button
          type="button"
          className="button button-danger"
          disabled={decline.isPending}
          onClick={() => decline.mutate()}
        >
          Decline
        </button>
      ) : null}
    </Lobby>
  );
}

/** The way in for whoever was not called, where the call takes guests. */
function GuestWay({ join_code }: { join_code: string }) {
  const preview = useQuery(previewQuery(join_code));
  if (preview.data === undefined) return null;
  return (
    <Link to="/g/$joinCode" params={{ joinCode: join_code }} className="btn primary">
      {preview.data.guests === 'open' ? 'Join as a guest' : 'Ask to join as a guest'}
    </Link>
  );
}

/** Where a join link leads: who is there, how one will be seen and heard, and the way in. */
export function JoinPage() {
  const { joinCode } = useParams({ from: '/signed-in/j/$joinCode' });
  const me = useMe();
  const call = useQuery(callQuery(joinCode));
  if (call.isPending) return <Waiting what="Looking for the call" />;
  if (call.isError) {
    return (
      <Page title="This link leads nowhere" narrow>
        <p className="notice" role="alert">
          {describeProblem(call.error)} The call may be over, or it is not open to you.
        </p>
        <GuestWay join_code={joinCode} />
      </Page>
    );
  }
  const { host, participants, state } = call.data;
  const rings = placeIn(call.data, me?.id)?.state === 'ringing';
  const invitation = host.id === me?.id ? 'Your call' : `${nameOf(host)} ${rings ? 'calls' : 'invites'} you`;
  const inside = participants.filter((one) => one.state === 'joined').map((one) => one.name);
  return (
    <Page title={state === 'ended' ? 'This call is over' : invitation} narrow>
      <section className="card" aria-label="Before you go in">
        <div className="cluster">
          <Avatar name={host.username} url={host.avatar_url} />
          <p className="list-main">
            <strong dir="auto">{nameOf(host)}</strong>
            <br />
            <span className="soft small">
              {inside.length === 0 ? 'No one is here yet' : `In now: ${inside.join(', ')}`}
            </span>
          </p>
        </div>
        {state === 'ended' ? null : <WayIn call={call.data} rings={rings} />}
      </section>
    </Page>
  );
}
