import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { signOutEverywhere, signOutHere } from '../auth/sign-out.ts';
import { describeDevice } from './describe-device.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';
import { sessionsKey } from '../../data/queries/me-query.ts';

function describeTime(at: string): string {
  return formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
}

function useEndSession() {
  const queries = useQueryClient();
  const onError = (error: unknown) => showToast(describeProblem(error));
  const one = useMutation({
    mutationFn: (session_id: string) => sdk.auth.revokeSession({ path: { session_id } }),
    onError,
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
  const all = useMutation({ mutationFn: signOutEverywhere, onError });
  const here = useMutation({ mutationFn: signOutHere });
  return { one, all, here };
}

/** All signed-in devices, with buttons to sign them out. */
export function SessionsPage() {
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => sdk.auth.listSessions({ query: { limit: 100 }, signal }),
  });
  const { one, all, here } = useEndSession();
  if (sessions.isPending) return <Skeleton rows={5} what={i18n.t('Loading your sessions')} />;
  return (
    <div className="card">
      <ListFailure list={sessions} />
      <ul className="list">
        {sessions.data?.items.map((session) => (
          <li key={session.id}>
            <div className="list-main">
              <p title={session.device ?? undefined}>
                <strong>{describeDevice(session.device ?? '')}</strong>
              </p>
              <p className="soft small">
                {session.ip ? `${session.ip} · ` : ''}
                {i18n.t('last used {time}', { time: describeTime(session.last_used_at) })}
              </p>
            </div>
            {session.current ? (
              <span className="chip" data-tone="ok">
                {i18n.t('This device')}
              </span>
            ) : (
              <button
                type="button"
                className="button quiet"
                disabled={one.isPending}
                aria-label={i18n.t('Sign out of {device}', { device: describeDevice(session.device ?? '') })}
                onClick={() => one.mutate(session.id)}
              >
                {i18n.t('Sign out')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="cluster">
        <button type="button" className="button quiet" disabled={here.isPending} onClick={() => here.mutate()}>
          {i18n.t('Sign out')}
        </button>
        <Confirm
          trigger={
            <button type="button" className="button danger">
              {i18n.t('Sign out everywhere')}
            </button>
          }
          title={i18n.t('Sign out everywhere?')}
          text={i18n.t('Signs out every device, including this one.')}
          action={i18n.t('Sign out all')}
          onConfirm={() => all.mutate()}
        />
      </div>
    </div>
  );
}
