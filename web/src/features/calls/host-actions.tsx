import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Hand, MicOff } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { cacheCall, isReader } from '../../data/queries/call-queries.ts';
import { useCallReader } from './state/call-reader.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Mutes everybody else, and lowers all hands, where there is any. @param muted the identifiers of those whose microphone is off */
export function HostActions({ call, muted }: { call: Call; muted: ReadonlySet<string | undefined> }) {
  const queries = useQueryClient();
  const { id } = useCallReader();
  const onError = (error: Error) => showToast(describeProblem(error));
  const mute = useMutation({
    mutationFn: () => sdk.callHosting.muteOthers(),
    onSuccess: ({ failed }) =>
      showToast(
        failed.length === 0
          ? i18n.t('Everyone else is muted. They can unmute themselves.')
          : i18n.t(
              '{count, plural, one {# person couldn’t be muted. Try again.} other {# people couldn’t be muted. Try again.}}',
              {
                count: failed.length,
              },
            ),
      ),
    onError,
  });
  const lower = useMutation({
    mutationFn: () => sdk.callHosting.lowerHands(),
    onSuccess: (updated) => cacheCall(queries, updated),
    onError,
  });
  const inside = call.participants.filter(({ state }) => state === 'joined');
  const has_speakers = inside.some((one) => !isReader(one, id) && !muted.has(one.id));
  const has_hands = inside.some((one) => one.hand_raised_at !== null);
  if (!has_speakers && !has_hands) return null;
  return (
    <div className="cluster host-actions">
      {has_speakers ? (
        <Confirm
          trigger={
            <button type="button" className="button quiet small" disabled={mute.isPending}>
              <MicOff aria-hidden="true" />
              {i18n.t('Mute all')}
            </button>
          }
          title={i18n.t('Mute everyone?')}
          text={i18n.t('They can unmute themselves.')}
          action={i18n.t('Mute all')}
          onConfirm={() => mute.mutate()}
        />
      ) : null}
      {has_hands ? (
        <button type="button" className="button quiet small" disabled={lower.isPending} onClick={() => lower.mutate()}>
          <Hand aria-hidden="true" />
          {i18n.t('Lower all hands')}
        </button>
      ) : null}
    </div>
  );
}
