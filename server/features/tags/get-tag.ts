import { mayOpenTag, presentTag, Tag, tag_columns, type TagRow } from '../../domain/tags.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const getTag = endpoint({
  id: 'getTag',
  route: 'GET /xtags/{xtag_id}',
  summary: 'Tag detail',
  path: object({ xtag_id: idOf('tag') }),
  reply: Tag,
  async run({ caller, path, db, services }) {
    const row = await db.maybe<TagRow>(sql`
      select ${tag_columns} from tags t join users u on u.id = t.owner_id where t.id = ${path.xtag_id} and ${mayOpenTag(caller.user_id)}`);
    return presentTag(found(row), caller.user_id, services.public_url);
  },
});
