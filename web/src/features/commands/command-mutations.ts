import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { localZone } from '../calendar/recurrence/zones.ts';
import type { CommandReply } from './command-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

interface Order {
  text: string;
  /** The reader has seen what it does and wants that. */
  confirm: boolean;
}

const run = ({ text, confirm }: Order) => sdk.commands.runCommand({ body: { text, confirm, timezone: localZone() } });

/**
 * Does what a text says. The toast tells it and takes it back where there is a way; whatever is shown may have changed, so
 * it is fetched again.
 */
export function useRunCommand(onDone: (reply: CommandReply) => void) {
  const queries = useQueryClient();
  const refetch = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'command-guide' });
  return useMutation({
    mutationFn: run,
    onSuccess: (reply) => {
      if (reply.requires_confirmation !== true) {
        const { undo } = reply;
        const takeBack = () =>
          void run({ text: undo ?? '', confirm: true })
            .then(() => showToast(i18n.t('It is taken back.')))
            .catch((error: unknown) => showToast(describeProblem(error)))
            .finally(() => void refetch());
        showToast(i18n.t('Done: {preview}', { preview: reply.preview }), undo === undefined ? {} : { undo: takeBack });
      }
      onDone(reply);
    },
    onSettled: refetch,
  });
}

/** What was said, as text. It is put into the bar and nothing else. */
export function useTranscribe(onHeard: (text: string) => void) {
  return useMutation({
    mutationFn: (file: File) => sdk.commands.transcribeCommand({ file }),
    onSuccess: ({ transcript }) => onHeard(transcript),
  });
}
