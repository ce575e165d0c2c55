import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Call, Input } from '@asterism/sdk';
import { sdk } from '../asterism.ts';
import { asSentence, describeProblem, fieldProblems, hasCode } from '../ui/problems/problem.ts';
import { showToast } from '../ui/overlay/toast.tsx';
import { activeCallQuery, cacheCall } from './queries/call-queries.ts';
import { readChoices } from '../media/saved-choices.ts';
import { i18n } from '../i18n/i18n.ts';

export type Targets = Input<'calls', 'startCall'>['body']['to'];

function labelOf(target: Targets[number] | undefined): string {
  if (target === undefined || 'user_id' in target) return i18n.t('This person');
  if ('phone' in target) return i18n.t('This number');
  if ('tag' in target) return i18n.t('This tag');
  return 'group_id' in target ? i18n.t('This group') : i18n.t('This contact');
}

/** Why a call was not started, as a sentence. */
function describeRefusal(error: unknown, to: Targets): string {
  if (hasCode(error, 'call_in_progress')) return i18n.t('You are in another call. Leave it first.');
  const [field = '', message] = Object.entries(fieldProblems(error))[0] ?? [];
  return message === undefined ? describeProblem(error) : asSentence(labelOf(to[Number(field.split('.')[1])]), message);
}

/**
 * Starts a call with the targets and opens it. Without targets it is an empty room, which can be joined by its link.
 * @param kind whether the camera is on; by default as the last time
 */
export function useStartCall(kind?: Call['media']) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const media = kind ?? (readChoices().camera ? 'video' : 'audio');
  return useMutation({
    mutationFn: (to: Targets) =>
      sdk.calls.startCall({ body: { to, media, ...(to.length === 0 ? { privacy: 'public' as const } : {}) } }),
    onSuccess: (call) => {
      cacheCall(queries, call);
      const camera = media === 'video' ? ('on' as const) : undefined;
      void navigate({ to: '/call/$joinCode', params: { joinCode: call.join_code }, search: { camera } });
    },
    onError: (error, to) => {
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
      showToast(describeRefusal(error, to));
    },
  });
}
