import { randomBytes } from 'node:crypto';
import { lockAccount } from '../../domain/accounts/accounts.ts';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { presentWidget, Widget, widgetUpdated } from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { insertWidget, lockOwnGroup, refuseGroup, requireWidgetTag, selectWidget } from './queries.ts';
import { requireOrigins } from './rules/origins.ts';
import { fillTheme, Kind, Origins, widgetSettings } from './schemas.ts';

export const createWidget = endpoint({
  id: 'createWidget',
  route: 'POST /widgets',
  summary: 'Create a widget',
  body: object({ tag_id: idOf('tag'), kind: Kind, allowed_origins: Origins, ...widgetSettings }),
  reply: Widget,
  status: [201],
  errors: ['plan_limit_reached'],
  async run({ body, caller, ...change }) {
    const { db, id, emit } = change;
    const widget = {
      id: id('wid'),
      owner_id: caller.user_id,
      tag_id: body.tag_id,
      group_id: body.group_id ?? null,
      kind: body.kind,
      title: body.title ?? '',
      theme: fillTheme(body.theme),
      allowed_origins: requireOrigins(body.allowed_origins),
      enabled: body.enabled ?? true,
      public_key: randomBytes(18).toString('base64url'),
    };
    // The account is locked before the group, as by a transfer; and before the widgets are counted.
    const [, , may_share] = await Promise.all([
      lockAccount(db, caller.user_id),
      requireWidgetTag(db, body.tag_id, caller.user_id),
      lockOwnGroup(db, body.group_id, caller.user_id),
    ]);
    if (!may_share) refuseGroup();
    const made = insertWidget(change, widget, plan_limits[caller.tier].widgets);
    const [is_made, row] = await Promise.all([made, selectWidget(db, widget.id)]);
    if (!is_made) fail('plan_limit_reached');
    const shown = presentWidget(found(row));
    emit(widgetUpdated, [`user:${caller.user_id}`], { widget: shown });
    return shown;
  },
});
