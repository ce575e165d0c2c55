import { idOf, object } from '../../kernel/schema.ts';

export const GroupPath = object({ group_id: idOf('grp') });

export const WidgetPath = object({ widget_id: idOf('wid') });
