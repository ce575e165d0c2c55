import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Share2, UserCheck } from 'lucide-react';
import { sdk } from '../../../asterism.ts';
import { cacheCall } from '../../../data/queries/call-queries.ts';
import { nameOf } from '../../../ui/avatar.tsx';
import { copyText } from '../../../ui/overlay/copy-text.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { canShare, shareLink } from '../../../ui/overlay/share/share-link.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** Lets people without an account ask to join: each waits until the host admits them. */
function AdmitGuests() {
  const queries = useQueryClient();
  const admit = useMutation({
    mutationFn: () => sdk.calls.setCallPrivacy({ body: { guests: 'ask' } }),
    onSuccess: (changed) => cacheCall(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <button
      type="button"
      className="button quiet"
      aria-disabled={admit.isPending}
      onClick={() => (admit.isPending ? undefined : admit.mutate())}
    >
      <UserCheck aria-hidden="true" />
      {i18n.t('Let guests ask')}
    </button>
  );
}

/** The link of a room that nobody else was called into, as long as the reader waits there alone. */
export function ShareLink({ call }: { call: Call }) {
  if (call.privacy !== 'public' || call.participants.length !== 1) return null;
  const url = `${location.origin}/j/${call.join_code}`;
  return (
    <div className="notice call-notice">
      <p>
        {call.guests === 'off'
          ? i18n.t('Share the link, and people with an account can join.')
          : i18n.t('Share the link, and others can join.')}
      </p>
      {call.guests === 'off' ? <AdmitGuests /> : null}
      <button type="button" className="button quiet" onClick={() => void copyText(url, i18n.t('Join link copied.'))}>
        <Copy aria-hidden="true" />
        {i18n.t('Copy link')}
      </button>
      {canShare() ? (
        <button
          type="button"
          className="button quiet"
          onClick={() => void shareLink(url, i18n.t('Call with {names}', { names: nameOf(call.host) }))}
        >
          <Share2 aria-hidden="true" />
          {i18n.t('Share')}
        </button>
      ) : null}
    </div>
  );
}
