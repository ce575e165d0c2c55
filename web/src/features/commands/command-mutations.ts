import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { localZone } from '../calendar/zones.ts';
import type { CommandReply } from './command-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { guideQuery } from './command-queries.ts';

interface Order {
  text: string;
  /** The reader has confirmed the previewed effect. */
  confirm: boolean;
}

const run = ({ text, confirm }: Order) => sdk.commands.runCommand({ body: { text, confirm, timezone: localZone() } });

/**
 * Runs a command. The toast reports its result and offers to undo it where possible. Any shown data may have changed,
 * so everything is refetched.
 */
export function useRunCommand(onDone: (reply: CommandReply) => void) {
  const queries = useQueryClient();
  const refetch = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== guideQuery.queryKey[0] });
  return useMutation({
    mutationFn: run,
    onSuccess: (reply) => {
      if (reply.requires_confirmation !== true) {
        const { undo } = reply;
        const takeBack = () =>
          void run({ text: undo ?? '', confirm: true })
            .then(() => showToast(i18n.t('Undone.')))
            .catch((error: unknown) => showToast(describeProblem(error)))
            .finally(() => void refetch());
        showToast(i18n.t('Done: {preview}', { preview: reply.preview }), undo === undefined ? {} : { undo: takeBack });
      }
      onDone(reply);
    },
    onSettled: refetch,
  });
}

/** Transcribes speech. The text is only put into the bar. */
export function useTranscribe(onHeard: (text: string) => void) {
  return useMutation({
    mutationFn: (file: File) => sdk.commands.transcribeCommand({ file }),
    onSuccess: ({ transcript }) => onHeard(transcript),
  });
}
