import { idOf, object } from '../../kernel/schema.ts';

export const ThreadPath = object({ thread_id: idOf('thr') });

export const GroupPath = object({ group_id: idOf('grp') });
