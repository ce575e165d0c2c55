import { queryOptions } from '@tanstack/react-query';
import { indexEmoji } from './suggest-emoji.ts';

/** All emoji by their names in a language, loaded when the first one is typed. */
export const emojiQuery = (language: string) =>
  queryOptions({
    queryKey: ['emoji', language],
    queryFn: async () => indexEmoji((await (await import('../emoji/emoji-data.ts')).loadEmoji(language)).emojis),
    staleTime: Infinity,
    // They are part of the client's code, which is available offline.
    networkMode: 'always',
    meta: { is_persisted: false },
  });
