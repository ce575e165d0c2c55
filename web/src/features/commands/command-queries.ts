import { ApiError } from '@asterism/sdk';
import type { Reply } from '@asterism/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { localZone } from '../calendar/recurrence/zones.ts';

/** A command as the guide tells it. */
export type GuideEntry = Reply<'commands', 'getCommandGuide'>['items'][number];
/** What a text is understood as, or did. */
export type CommandReply = Reply<'commands', 'runCommand'>;

/** Every command that there is. */
export const guideQuery = queryOptions({
  queryKey: ['command-guide'],
  queryFn: async ({ signal }) => {
    const entries: GuideEntry[] = [];
    for await (const entry of sdk.commands.getCommandGuide.iterate({ query: { limit: 100 }, signal }))
      entries.push(entry);
    return entries;
  },
  staleTime: Infinity,
});

/** What became of a text: a command with what it would do, or what may have been meant. */
export type Understanding =
  | { kind: 'command'; reply: CommandReply }
  | { kind: 'unknown'; suggestions: readonly string[]; span: readonly [number, number] | undefined }
  | { kind: 'refused'; message: string };

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

function readSpan(value: unknown): readonly [number, number] | undefined {
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : undefined;
}

/** What a refusal of a command means for whoever typed it. @throws the error where it is none of that */
export function readRefusal(error: unknown): Understanding {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401 || error.status === 429) throw error;
  const { suggestions, span } = error.details;
  if (error.code === 'validation_failed' && suggestions !== undefined)
    return { kind: 'unknown', suggestions: texts(suggestions), span: readSpan(span) };
  return { kind: 'refused', message: Object.values(error.fields)[0] ?? error.message };
}

/** What a text would do; nothing is done by asking. */
export const previewQuery = (text: string) =>
  queryOptions({
    queryKey: ['command-preview', text],
    queryFn: async ({ signal }): Promise<Understanding> => {
      try {
        const body = { text, dry_run: true, timezone: localZone() };
        return { kind: 'command', reply: await sdk.commands.runCommand({ body, signal }) };
      } catch (error) {
        return readRefusal(error);
      }
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 20_000,
    retry: false,
  });
