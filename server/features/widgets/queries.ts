import type { WidgetRow } from '../../domain/widgets/widgets.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';

export type NewWidget = Omit<WidgetRow, 'tag' | 'created_at'> & { tag_id: string };

/** Inserts a widget if the plan of its owner, whose account the caller has locked, has room. @returns whether it did */
export async function insertWidget(
  { db, now }: Pick<Change, 'db' | 'now'>,
  widget: NewWidget,
  allowed: number,
): Promise<boolean> {
  const count = await db.run(sql`
    insert into widgets (id, owner_id, tag_id, group_id, kind, title, theme, allowed_origins, enabled, public_key, guests_since, created_at)
    select ${widget.id}, ${widget.owner_id}, ${widget.tag_id}, ${widget.group_id}, ${widget.kind}, ${widget.title},
      ${JSON.stringify(widget.theme)}::jsonb, ${widget.allowed_origins}::text[], ${widget.enabled}::boolean,
      ${widget.public_key}, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from widgets where owner_id = ${widget.owner_id} and deleted_at is null) < ${allowed}::int`);
  return count > 0;
}

/**
 * @throws ApiError `validation_failed` that names `tag_id` when it is not a tag of the owner; the tag is locked until
 *   the end of the transaction
 */
export async function requireOwnTag(db: Queryable, tag_id: string, owner_id: string): Promise<void> {
  const own = await db.maybe(
    sql`select 1 from tags where id = ${tag_id} and owner_id = ${owner_id} and deleted_at is null for key share`,
  );
  if (!own) invalid({ tag_id: 'is not one of your tags' });
}

/**
 * Whether a widget may be shared with a group, which must then remain its owner's until the end of the transaction. A
 * group is locked before its widgets, as by its transfer.
 */
export async function lockOwnGroup(
  db: Queryable,
  group_id: string | null | undefined,
  owner_id: string,
): Promise<boolean> {
  if (group_id === null || group_id === undefined) return true;
  const own = await db.maybe(
    sql`select 1 from groups where id = ${group_id} and owner_id = ${owner_id} and deleted_at is null for key share`,
  );
  return own !== undefined;
}

/** @throws ApiError `validation_failed` that names `group_id` */
export const refuseGroup = (): never => invalid({ group_id: 'is not one of your groups' });

/** Writes an owner's changes of a widget. */
export async function updateWidget(db: Queryable, widget: WidgetRow): Promise<void> {
  await db.run(sql`
    update widgets set kind = ${widget.kind}, title = ${widget.title}, theme = ${JSON.stringify(widget.theme)}::jsonb,
      allowed_origins = ${widget.allowed_origins}::text[], enabled = ${widget.enabled}::boolean, group_id = ${widget.group_id}
    where id = ${widget.id}`);
}

export type Host = { id: string; kind: WidgetRow['kind']; allowed_origins: string[]; is_on: boolean };

/** Inserts a guest with the hash of their token. */
export async function insertGuest(
  { db, now }: Pick<Change, 'db' | 'now'>,
  guest: {
    id: string;
    widget_id: string;
    name: string;
    name_is_default: boolean;
    token_hash: string;
    expires_at: Date;
  },
): Promise<void> {
  await db.run(sql`
    insert into guests (id, widget_id, name, name_is_default, token_hash, created_at, expires_at)
    values (${guest.id}, ${guest.widget_id}, ${guest.name}, ${guest.name_is_default}, ${guest.token_hash}, ${now}, ${guest.expires_at})`);
}
