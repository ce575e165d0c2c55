import { message_path } from '../../domain/chat/message-actions.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const GroupPath = object({ group_id: idOf('grp') });

export const GroupMessagePath = object({ group_id: idOf('grp'), ...message_path });
