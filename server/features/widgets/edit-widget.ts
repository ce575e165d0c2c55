import {
  admitsGuests,
  endGuests,
  endGuestsElsewhere,
  presentWidget,
  Widget,
  widgetUpdated,
} from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object, optional } from '../../kernel/schema.ts';
import { lockOwnGroup, lockOwnWidget, refuseGroup, updateWidget } from './queries.ts';
import { requireOrigins } from './rules/origins.ts';
import { fillTheme, Kind, Origins, WidgetPath, widgetSettings } from './schemas.ts';

export const editWidget = endpoint({
  id: 'editWidget',
  route: 'PATCH /widgets/{widget_id}',
  summary: 'Edit a widget',
  description:
    'Disabling it, or making it a follow button, ends the access of its guests immediately, and removing an origin that of the guests on its pages.',
  path: WidgetPath,
  body: object({ kind: optional(Kind), allowed_origins: optional(Origins), ...widgetSettings }),
  reply: Widget,
  errors: ['forbidden'],
  async run({ path, body, caller, ...change }) {
    const { db, emit } = change;
    const may_share = await lockOwnGroup(db, body.group_id, caller.user_id);
    const widget = await lockOwnWidget(db, path.widget_id, caller.user_id);
    if (!may_share) refuseGroup();
    const edited = {
      ...widget,
      kind: body.kind ?? widget.kind,
      title: body.title ?? widget.title,
      theme: fillTheme(body.theme, widget.theme),
      allowed_origins: body.allowed_origins ? requireOrigins(body.allowed_origins) : widget.allowed_origins,
      enabled: body.enabled ?? widget.enabled,
      group_id: body.group_id === undefined ? widget.group_id : body.group_id,
    };
    await updateWidget(db, edited);
    if (admitsGuests(widget) && !admitsGuests(edited)) await endGuests(change, [widget.id]);
    else if (widget.allowed_origins.some((one) => !edited.allowed_origins.includes(one)))
      await endGuestsElsewhere(change, widget.id);
    const shown = presentWidget(edited);
    emit(widgetUpdated, [`user:${caller.user_id}`], { widget: shown });
    return shown;
  },
});
