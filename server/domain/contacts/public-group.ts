/** The content of the link of a group: what is shown before joining. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { component, idOf, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import type { LinkRow } from '../public-links/links.ts';

export const PublicGroup = component(
  'PublicGroup',
  object({
    kind: oneOf('group'),
    id: idOf('grp'),
    name: Type.String(),
    description: Type.String(),
    owner: PublicUser,
    people_count: Type.Integer({ minimum: 1, description: 'The owner and the members with an account.' }),
  }),
);

type Row = { name: string; description: string; owner: PublicUserRow; people_count: number };

/** Opens the link of a group. @throws ApiError `gone` when it was deleted */
export async function openGroupLink(
  db: Queryable,
  link: LinkRow,
  services: Services,
): Promise<Static<typeof PublicGroup>> {
  const row = await db.maybe<Row>(sql`
    select g.name, g.description, ${publicUserJson('u')} as owner,
      1 + (select count(*)::int from group_invites i where i.group_id = g.id and i.state = 'accepted') as people_count
    from groups g join users u on u.id = g.owner_id where g.id = ${link.subject_id} and g.deleted_at is null`);
  const { name, description, owner, people_count } = row ?? fail('gone');
  return {
    kind: 'group',
    id: link.subject_id,
    name,
    description,
    owner: presentUser(owner, { services }),
    people_count,
  };
}
