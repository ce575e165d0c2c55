import { endpoint } from '../../kernel/endpoint.ts';
import { WidgetPath } from './schemas.ts';
import { removeWidget, lockOwnWidget } from './queries.ts';

export const deleteWidget = endpoint({
  id: 'deleteWidget',
  route: 'DELETE /widgets/{widget_id}',
  summary: 'Delete a widget',
  description: 'Also deletes its conversations; the access of its guests ends immediately.',
  path: WidgetPath,
  errors: ['forbidden'],
  async run({ path, caller, ...change }) {
    const { db } = change;
    const widget = await lockOwnWidget(db, path.widget_id, caller.user_id);
    await removeWidget(change, widget.id);
  },
});
