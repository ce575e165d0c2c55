import { deleteWidgets, selectWidgets, type WidgetRow, requireWidgetAsAgent } from '../../domain/widgets/widgets.ts';
import { isWidgetOn } from '../../domain/visibility/widgets.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { invalid, fail } from '../../kernel/errors.ts';
import type { Change } from '../../kernel/services.ts';
import { type Page, pageOf } from '../../kernel/page.ts';

/** A widget before it is inserted. */
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
export async function requireWidgetTag(db: Queryable, tag_id: string, owner_id: string): Promise<void> {
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

/** What decides whether a page may show a widget. */
export type Host = { id: string; kind: WidgetRow['kind']; allowed_origins: string[]; is_on: boolean };

/** Inserts a guest with the hash of their token. */
export async function insertGuest(
  { db, now }: Pick<Change, 'db' | 'now'>,
  guest: {
    id: string;
    widget_id: string;
    name: string;
    name_is_default: boolean;
    web_origin: string;
    token_hash: string;
    expires_at: Date;
  },
): Promise<void> {
  await db.run(sql`
    insert into guests (id, widget_id, name, name_is_default, web_origin, token_hash, created_at, expires_at)
    values (${guest.id}, ${guest.widget_id}, ${guest.name}, ${guest.name_is_default}, ${guest.web_origin}, ${guest.token_hash}, ${now}, ${guest.expires_at})`);
}

/** The widget with a public key, locked until the end of the transaction, so that it is not edited meanwhile. */
export function lockHost(db: Queryable, public_key: string): Promise<Host | undefined> {
  return db.maybe<Host>(sql`
    select w.id, w.kind, w.allowed_origins, ${isWidgetOn} as is_on from widgets w
    where w.public_key = ${public_key} and w.deleted_at is null for share of w`);
}

/**
 * A widget of the caller, locked until the end of the transaction; one round trip.
 * @throws ApiError `not_found`, or `forbidden` for other agents
 */
export async function lockOwnWidget(db: Queryable, id: string, user_id: string): Promise<WidgetRow> {
  const [, widget] = await Promise.all([
    db.run(sql`select 1 from widgets where id = ${id} for update`),
    requireWidgetAsAgent(db, id, user_id),
  ]);
  if (widget.owner_id !== user_id) fail('forbidden');
  return widget;
}

/** A widget by its identifier. */
export async function selectWidget(db: Queryable, id: string): Promise<WidgetRow | undefined> {
  return (await selectWidgets(db, sql`w.id = ${id}`))[0];
}

/** The widgets of an owner, newest first. */
export const selectWidgetsOf = (db: Queryable, owner_id: string, page: Page): Promise<WidgetRow[]> =>
  selectWidgets(db, sql`w.owner_id = ${owner_id} and w.deleted_at is null ${pageOf(page, 'w.id')}`);

/** The widgets that are shared with a group, newest first. */
export const selectWidgetsOfGroup = (db: Queryable, group_id: string, page: Page): Promise<WidgetRow[]> =>
  selectWidgets(db, sql`w.group_id = ${group_id} and w.deleted_at is null ${pageOf(page, 'w.id')}`);

/** Deletes a widget. */
export const removeWidget = (change: Change, id: string): Promise<void> => deleteWidgets(change, sql`w.id = ${id}`);
