import { ApiError } from '@asterism/sdk';
import type { Reply } from '@asterism/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { localZone } from '../calendar/zones.ts';

/** A command in the guide. */
export type GuideEntry = Reply<'commands', 'getCommandGuide'>['items'][number];
/** The interpretation of a text, or the result of running it. */
export type CommandReply = Reply<'commands', 'runCommand'>;

/** All commands. */
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

/** The chats and contacts that a typed text is looked up in, and the person who has it as a username. */
export const commandChatsKey = ['commands', 'chats'] as const;
export const commandContactsKey = (q: string) => ['commands', 'contacts', q] as const;
export const commandPersonKey = (username: string) => ['commands', 'person', username] as const;

/** The interpretation of a text: a command with its effect, or the possible meanings. */
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

/** The interpretation of a refused command. @throws the error if it is not such a refusal */
export function readRefusal(error: unknown): Understanding {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401 || error.status === 429) throw error;
  const { suggestions, span } = error.details;
  if (error.code === 'validation_failed' && suggestions !== undefined)
    return { kind: 'unknown', suggestions: texts(suggestions), span: readSpan(span) };
  return { kind: 'refused', message: Object.values(error.fields)[0] ?? error.message };
}

/** The effect of a text; requesting it changes nothing. */
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
