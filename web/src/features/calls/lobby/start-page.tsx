import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sdk } from '../../../asterism.ts';
import { Page } from '../../../ui/page.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { callQuery } from '../../../data/queries/call-queries.ts';
import { Lobby, searchOf, useLobby } from './lobby.tsx';
import { i18n } from '../../../i18n/i18n.ts';

interface StartPageProps {
  join_code: string;
  /** The tag, group or event to which the call belongs. */
  title: string | undefined;
}

/** The lobby of an empty room or event call: the first person starts the call. */
export function StartPage({ join_code, title }: StartPageProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const lobby = useLobby();
  const start = useMutation({
    mutationFn: () => sdk.calls.createSfuGrant({ path: { join_code } }),
    onSuccess: async () => {
      await queries.fetchQuery({ ...callQuery(join_code), staleTime: 0 });
      await navigate({
        to: '/call/$joinCode',
        params: { joinCode: join_code },
        search: searchOf(lobby.choices),
        replace: true,
      });
    },
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <Page title={title ?? i18n.t('Join a call')} narrow>
      <section className="card" aria-label={i18n.t('Before you join')}>
        <p className="soft">{i18n.t('No one is here yet. Join, and others can reach you here by the same link.')}</p>
        <Lobby {...lobby}>
          <button type="button" className="button primary" disabled={start.isPending} onClick={() => start.mutate()}>
            {i18n.t('Join')}
          </button>
        </Lobby>
      </section>
    </Page>
  );
}
