import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Brand } from '../../../ui/brand/brand.tsx';
import { PageHeading } from '../../../ui/page.tsx';
import { Aster } from '../../../ui/brand/aster.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { guestKey } from '../state/guest-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { GuestClient } from './guest-session.ts';

interface WaitingRoomProps {
  join_code: string;
  client: GuestClient;
  /** Forgets the request, and shows the form again. */
  onBack: () => void;
}

/** The waiting room, with a button to withdraw the request. */
export function WaitingRoom({ join_code, client, onBack }: WaitingRoomProps) {
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => client.sdk.callGuests.withdrawCallGuest({ path: { join_code } }),
    onSuccess: onBack,
    onError: (error) => {
      showToast(describeProblem(error));
      // The host may have decided meanwhile.
      void queries.invalidateQueries({ queryKey: guestKey(join_code) });
    },
  });
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <div className="empty dead-end">
        <span className="waiting-star" aria-hidden="true">
          <Aster />
        </span>
        <PageHeading title={i18n.t('Waiting to be let in')} />
        <p role="status">{i18n.t('The host has been notified that you are here. Keep this page open.')}</p>
        <button type="button" className="button quiet" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {i18n.t('Cancel')}
        </button>
      </div>
    </main>
  );
}
