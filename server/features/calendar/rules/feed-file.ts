/** What the address of a feed answers: the file, or that the reader has it already. */
import { eventColumns, type EventRow } from '../../../domain/calendar/events.ts';
import { requireLink } from '../../../domain/public-links/links.ts';
import { mayMeet } from '../../../domain/visibility/people.ts';
import { raw, sql, type Queryable } from '../../../kernel/database/database.ts';
import { entityTagOf, isKnown } from '../../../kernel/http/etag.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import type { Services } from '../../../kernel/services.ts';
import { writeCalendar } from './calendar-text.ts';

/** Changes with what is written of the same events: the form of the file, and the zones as the runtime knows them. */
const form = `1 ${process.versions['tz'] ?? ''}`;

/** What a feed shows changes with: each change of the calendar, and who of its guests' hosts is hidden from its owner. */
type Version = { seq: string; hidden: string };
const owner = raw('p.owner_id');
const version = sql`, coalesce((select seq from calendar_users where user_id = ${owner}), 0)::text as seq,
  (select count(*) from calendar_guests c join calendar_events e on e.id = c.event_id join users u on u.id = e.owner_id
    where c.user_id = ${owner} and not (${mayMeet(owner)}))::text as hidden`;

export type FeedFile = { etag: string; text?: string };

/**
 * The feed of an address. While nothing has changed that it shows, it is not built.
 * @throws ApiError `gone`
 */
export async function readFeed(
  services: Services,
  token: string,
  if_none_match: string | undefined,
): Promise<FeedFile> {
  const { db, public_url } = services;
  const { owner_id, seq, hidden } = await requireLink<Version>(db, token, services.clock.now(), 'feed', version);
  const etag = entityTagOf([owner_id, token, seq, hidden, form].join(' '));
  if (isKnown(if_none_match, etag)) return { etag };
  const rows = await selectFeedEvents(db, owner_id);
  return { etag, text: writeCalendar(rows, { host: new URL(public_url).hostname, public_url, reader_id: owner_id }) };
}

/** The newest events of a calendar. */
function selectFeedEvents(db: Queryable, user_id: string): Promise<EventRow[]> {
  const most = default_limits.feed_events;
  return db.many<EventRow>(sql`
    select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id where e.id in (
      (select o.id from calendar_events o where o.owner_id = ${user_id} order by o.id desc limit ${most})
      union all
      (select c.event_id from calendar_guests c join calendar_events o on o.id = c.event_id join users u on u.id = o.owner_id
        where c.user_id = ${user_id} and ${mayMeet(user_id)} order by c.event_id desc limit ${most}))
    order by e.id desc limit ${most}`);
}
