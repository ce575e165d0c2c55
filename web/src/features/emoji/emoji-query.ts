import { queryOptions } from '@tanstack/react-query';

/** All emoji with their names in a language, in the order of the picker. */
export const emojiQuery = (language: string) =>
  queryOptions({
    queryKey: ['emoji', language],
    queryFn: async () => (await (await import('./emoji-data.ts')).loadEmoji(language)).emojis,
    staleTime: Infinity,
    // They are code, which is there without a network too.
    networkMode: 'always',
    meta: { is_persisted: false },
  });
