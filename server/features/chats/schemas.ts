import { idOf, object } from '../../kernel/schema.ts';

export const GroupPath = object({ group_id: idOf('grp') });

export const GroupMessagePath = object({ group_id: idOf('grp'), message_id: idOf('chat') });

export const WidgetPath = object({ widget_id: idOf('wid') });
