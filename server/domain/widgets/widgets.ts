/** Widgets: a tag's chat, call or follow button on third-party pages, and their guests. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import type { Guest } from '../../kernel/caller.ts';
import { found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { job } from '../../kernel/job.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { change as inChange, type Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { leaveCallsOfGuests } from '../calls/leave-calls.ts';
import { purgeMessages } from '../chat/purge-messages.ts';
import { revokeGuestTokens, sessionRevoked } from '../accounts/session-events.ts';
import { presentTagLabel, TagLabel } from '../social/tags.ts';
import { isWidgetOn, isWidgetAgent } from '../visibility/widgets.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** What a widget offers on a page. */
export const widget_kinds = ['call', 'chat', 'follow'] as const;
/** The colour schemes of a widget; `auto` is that of the visitor's device. */
export const theme_modes = ['auto', 'light', 'dark'] as const;
/** The corner in which a widget opens. */
export const theme_positions = ['left', 'right'] as const;

const WidgetTheme = component(
  'WidgetTheme',
  object({
    accent: nullable(Type.String({ description: '#rrggbb; null for the default.' })),
    mode: oneOf(...theme_modes),
    position: oneOf(...theme_positions),
  }),
);

export const Widget = component(
  'Widget',
  object({
    id: idOf('wid'),
    tag: TagLabel,
    group_id: nullable(idOf('grp')),
    kind: oneOf(...widget_kinds),
    title: Type.String(),
    theme: WidgetTheme,
    allowed_origins: Type.Array(Type.String(), { maxItems: default_limits.widget_origins }),
    enabled: Type.Boolean(),
    public_key: Type.String({ description: 'Part of the embedding pages; grants no access by itself.' }),
    created_at: moment,
  }),
);

export const widgetUpdated = event(
  'widget.updated',
  'One of your widgets was created or changed.',
  object({ widget: Widget }),
);
export const widgetDeleted = event('widget.deleted', 'One of your widgets was deleted.', object({ id: idOf('wid') }));

/** The columns of a widget. */
export type WidgetRow = {
  id: string;
  owner_id: string;
  tag: { id: string; name: string; title: string };
  group_id: string | null;
  kind: (typeof widget_kinds)[number];
  title: string;
  theme: Static<typeof WidgetTheme>;
  allowed_origins: string[];
  enabled: boolean;
  public_key: string;
  created_at: Date;
};

/** Widgets `w`; `which` may end in an order. */
export function selectWidgets(db: Queryable, which: Sql): Promise<WidgetRow[]> {
  return db.many<WidgetRow>(sql`
    select w.id, w.owner_id, w.kind, w.title, w.theme, w.allowed_origins, w.enabled, w.public_key, w.created_at,
      -- A deleted group is purged later.
      (select g.id from groups g where g.id = w.group_id and g.deleted_at is null) as group_id,
      (select json_build_object('id', t.id, 'name', t.name, 'title', t.title) from tags t where t.id = w.tag_id) as tag
    from widgets w where ${which}`);
}

/** Whether a widget admits guests: it is enabled, and not only a link to the page of its tag. */
export const admitsGuests = ({ enabled, kind }: Pick<WidgetRow, 'enabled' | 'kind'>): boolean =>
  enabled && kind !== 'follow';

/** A widget as presented to those who may see it. */
export function presentWidget(row: WidgetRow): Static<typeof Widget> {
  return {
    id: row.id,
    tag: presentTagLabel(row.tag),
    group_id: row.group_id,
    kind: row.kind,
    title: row.title,
    theme: row.theme,
    allowed_origins: row.allowed_origins,
    enabled: row.enabled,
    public_key: row.public_key,
    created_at: wireTime(row.created_at),
  };
}

/**
 * A widget for its agents: its owner, or a member of the group that it is shared with.
 * @throws ApiError `not_found`
 */
export async function requireWidgetAsAgent(db: Queryable, id: string, user_id: string): Promise<WidgetRow> {
  const [row] = await selectWidgets(db, sql`w.id = ${id} and ${isWidgetAgent(user_id)}`);
  return found(row);
}

/** The guest of a valid token, of a widget or of a call, with its expiry. */
export function selectGuest(
  db: Queryable,
  token_hash: string,
  now: Date,
): Promise<(Guest & { expires_at: Date }) | undefined> {
  return db.maybe<Guest & { expires_at: Date }>(sql`
    select gu.id as guest_id, gu.name, gu.name_is_default, gu.widget_id as place_id, w.owner_id, gu.expires_at
    from guests gu join widgets w on w.id = gu.widget_id
    where gu.token_hash = ${token_hash} and gu.expires_at > ${now} and gu.created_at >= w.guests_since and ${isWidgetOn}
      and (gu.web_origin is null or gu.web_origin = any(w.allowed_origins))
    union all
    select gu.id, gu.name, gu.name_is_default, gu.call_id, c.host_id, gu.expires_at
    from guests gu join calls c on c.id = gu.call_id
    where gu.token_hash = ${token_hash} and gu.expires_at > ${now} and gu.admission <> 'declined' and c.state <> 'ended'`);
}

/** The number of guests per transaction: of one widget there may be any number. */
const portion = 500;

/**
 * Revokes the tokens of all guests of some widgets: on this node with the commit, on every other within a second; their
 * sockets are closed and they leave their calls. The caller has changed the widgets or what they depend on.
 */
export async function endGuests(change: Change, widget_ids: string[]): Promise<void> {
  if (widget_ids.length === 0) return;
  await change.db.run(sql`
    update widgets set guests_since = greatest(${change.now}::timestamptz, guests_since + interval '1 millisecond')
    where id = any(${widget_ids}::text[])`);
  await leaveCallsOfGuests(change, sql`gu.widget_id = any(${widget_ids}::text[])`);
  for (const id of widget_ids) change.emit(sessionRevoked, [`session:${id}`], { session_id: id });
  change.afterCommit(() => {
    for (const id of widget_ids) change.services.sessions.drop(id);
  });
}

/**
 * Revokes the tokens of the guests of a widget who came on pages that it no longer allows, and of those of earlier
 * versions, whose pages are not known; otherwise as `endGuests`. The widget is locked, so that none is added meanwhile. Those
 * beyond a portion follow in a job; `selectGuest` admits none of them meanwhile.
 */
export async function endGuestsElsewhere(change: Change, widget_id: string, after = ''): Promise<void> {
  const { db, now } = change;
  const ended = await db.many<{ id: string }>(sql`
    update guests set expires_at = ${now} where id = any(array(
      select gu.id from guests gu join widgets w on w.id = gu.widget_id
      where gu.widget_id = ${widget_id} and gu.id > ${after} and gu.expires_at > ${now}
        and (gu.web_origin is null or gu.web_origin <> all(w.allowed_origins))
      order by gu.id limit ${portion})) returning id`);
  if (ended.length === 0) return;
  await leaveCallsOfGuests(change, sql`gu.id = any(${ended.map((one) => one.id)}::text[])`);
  revokeGuestTokens(change, widget_id, ended);
  if (ended.length < portion) return;
  const last = ended.reduce((latest, { id }) => (id > latest ? id : latest), after);
  change.enqueue(endFurtherGuests, { widget_id, after: last });
}

/** Continues `endGuestsElsewhere`. */
export const endFurtherGuests = job<{ widget_id: string; after: string }>({
  name: 'widgets.end-guests',
  max_attempts: 20,
  run: ({ widget_id, after }, services) => inChange(services, (change) => endGuestsElsewhere(change, widget_id, after)),
});

/** Ends the guests of the widgets `w` that a condition selects. */
export async function endGuestsOf(change: Change, which: Sql): Promise<void> {
  const rows = await change.db.many<{ id: string }>(sql`
    select w.id from widgets w where w.deleted_at is null and ${which} order by w.id`);
  await endGuests(
    change,
    rows.map(({ id }) => id),
  );
}

/** Deletes the widgets `w` that a condition selects; their rows and conversations are purged later, in portions. */
export async function deleteWidgets(change: Change, which: Sql): Promise<void> {
  const gone = await change.db.many<{ id: string; owner_id: string }>(sql`
    update widgets w set deleted_at = ${change.now}, enabled = false where w.deleted_at is null and ${which}
    returning w.id, w.owner_id`);
  await endGuests(
    change,
    gone.map(({ id }) => id),
  );
  for (const { id, owner_id } of gone) {
    change.emit(widgetDeleted, [`user:${owner_id}`], { id });
    change.enqueue(purgeWidget, { widget_id: id });
  }
}

/** Purges a deleted widget: its messages, then its guests, then itself. */
export const purgeWidget = job<{ widget_id: string }>({
  // The name under which earlier versions have queued it.
  name: 'widgets.clear',
  max_attempts: 20,
  async run({ widget_id }, services) {
    await inChange(services, async ({ db, now, enqueue }) => {
      const has_messages = await purgeMessages({ db, now }, sql`m.widget_id = ${widget_id}`);
      const guests = await db.run(sql`
        delete from guests where id = any(array(
          select gu.id from guests gu where gu.widget_id = ${widget_id}
            and not exists (select 1 from chat_messages m where m.guest_id = gu.id) order by gu.id limit ${portion}))`);
      if (has_messages || guests === portion) enqueue(purgeWidget, { widget_id });
      else await db.run(sql`delete from widgets where id = ${widget_id} and deleted_at is not null`);
    });
  },
});

/** Takes the widgets of somebody out of a group that they no longer own: its people answer their guests no longer. */
export async function unshareWidgets({ db, emit }: Change, group_id: string, owner_id: string): Promise<void> {
  const shared = await selectWidgets(db, sql`w.group_id = ${group_id} and w.owner_id = ${owner_id}`);
  if (shared.length === 0) return;
  await db.run(sql`update widgets set group_id = null where group_id = ${group_id} and owner_id = ${owner_id}`);
  for (const widget of shared)
    emit(widgetUpdated, [`user:${owner_id}`], { widget: presentWidget({ ...widget, group_id: null }) });
}
