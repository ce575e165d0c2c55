import { deleteWidgets, requireWidgetAsAgent } from '../../domain/widgets/widgets.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { WidgetPath } from './schemas.ts';

export const deleteWidget = endpoint({
  id: 'deleteWidget',
  route: 'DELETE /widgets/{widget_id}',
  summary: 'Delete a widget',
  description: 'Also deletes its conversations; the access of its guests ends immediately.',
  path: WidgetPath,
  errors: ['forbidden'],
  async run({ path, caller, services, ...change }) {
    const { db } = change;
    const [, widget] = await Promise.all([
      db.run(sql`select 1 from widgets where id = ${path.widget_id} for update`),
      requireWidgetAsAgent(db, path.widget_id, caller.user_id),
    ]);
    if (widget.owner_id !== caller.user_id) fail('forbidden');
    await deleteWidgets(change, services, sql`w.id = ${widget.id}`);
  },
});
