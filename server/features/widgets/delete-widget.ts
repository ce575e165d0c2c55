import { requireWidgetAsAgent } from '../../domain/widgets/widgets.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { WidgetPath } from './schemas.ts';
import { lockWidget, removeWidget } from './queries.ts';

export const deleteWidget = endpoint({
  id: 'deleteWidget',
  route: 'DELETE /widgets/{widget_id}',
  summary: 'Delete a widget',
  description: 'Also deletes its conversations; the access of its guests ends immediately.',
  path: WidgetPath,
  errors: ['forbidden'],
  async run({ path, caller, ...change }) {
    const { db } = change;
    const [, widget] = await Promise.all([
      lockWidget(db, path.widget_id),
      requireWidgetAsAgent(db, path.widget_id, caller.user_id),
    ]);
    if (widget.owner_id !== caller.user_id) fail('forbidden');
    await removeWidget(change, widget.id);
  },
});
