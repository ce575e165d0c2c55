import { idOf, object, Type } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The folder of a thread in the caller's lists. */
export const folders = ['main', 'requests', 'declined'] as const;

export const ThreadPath = object({ thread_id: idOf('thr') });

export const ThreadMessagePath = object({ thread_id: idOf('thr'), message_id: idOf('dm') });

/** The maximum of files in one message. */
const max_media = default_limits.message_media;
export const Media = Type.Array(idOf('file'), { maxItems: max_media });
