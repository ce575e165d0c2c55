import { message_path } from '../../domain/chat/message-actions.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const WidgetPath = object({ widget_id: idOf('wid') });

export const WidgetMessagePath = object({ widget_id: idOf('wid'), ...message_path });
