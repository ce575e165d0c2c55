/** The content of the link of a group: what is shown before joining, and its picture. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { component, idOf, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { blobKey } from '../files/uploads.ts';
import type { LinkRow } from '../public-links/links.ts';
import { isWithdrawn } from '../visibility/files.ts';

export const PublicGroup = component(
  'PublicGroup',
  object({
    kind: oneOf('group'),
    id: idOf('grp'),
    name: Type.String(),
    description: Type.String(),
    avatar_url: nullable(Type.String({ description: 'Valid as long as the link is.' })),
    owner: PublicUser,
    people_count: Type.Integer({ minimum: 1, description: 'The owner and the members with an account.' }),
  }),
);

type Row = {
  name: string;
  description: string;
  has_picture: boolean;
  owner: PublicUserRow;
  people_count: number;
};

/** The picture `fi` of group `g`, unless it was withdrawn. */
const picture = sql`files fi where fi.id = g.avatar_file_id and not ${isWithdrawn}`;

/** Opens the link of a group. @throws ApiError `gone` when it was deleted */
export async function openGroupLink(
  db: Queryable,
  link: LinkRow,
  services: Services,
): Promise<Static<typeof PublicGroup>> {
  const row = await db.maybe<Row>(sql`
    select g.name, g.description, exists (select 1 from ${picture}) as has_picture, ${publicUserJson('u')} as owner,
      1 + (select count(*)::int from group_invites i where i.group_id = g.id and i.state = 'accepted') as people_count
    from groups g join users u on u.id = g.owner_id where g.id = ${link.subject_id} and g.deleted_at is null`);
  const { has_picture, owner, ...group } = row ?? fail('gone');
  return {
    kind: 'group',
    id: link.subject_id,
    ...group,
    avatar_url: has_picture ? `${services.public_url}/g/${link.token}/picture` : null,
    owner: presentUser(owner, { services }),
  };
}

type Picture = { file_id: string; variants: readonly { name: string; content_type: string }[]; content_type: string };

/** The stored picture of the group of a link: its medium size, where it has one; undefined without a picture. */
export async function findGroupPicture(
  db: Queryable,
  { subject_id }: LinkRow,
): Promise<{ key: string; etag: string; content_type: string } | undefined> {
  const row = await db.maybe<Picture>(sql`
    select p.* from groups g cross join lateral (
      select fi.id as file_id, fi.variants, fi.content_type from ${picture}) p
    where g.id = ${subject_id} and g.deleted_at is null`);
  if (!row) return undefined;
  const medium = row.variants.find(({ name }) => name === 'medium');
  const variant = medium?.name ?? 'main';
  return {
    key: blobKey(row.file_id, variant),
    etag: `"${row.file_id}.${variant}"`,
    content_type: medium?.content_type ?? row.content_type,
  };
}
