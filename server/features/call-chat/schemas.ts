import { JoinCode } from '../../domain/calls/state/calls.ts';
import { message_path } from '../../domain/chat/message-actions.ts';
import { object } from '../../kernel/schema.ts';

export const CallMessagePath = object({ join_code: JoinCode, ...message_path });
