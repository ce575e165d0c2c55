/** The answer for a feed's address: the file, or 304. */
import { eventColumns, type EventRow } from '../../../domain/calendar/events.ts';
import { requireLink } from '../../../domain/public-links/links.ts';
import { maySeeUser } from '../../../domain/visibility/people.ts';
import { raw, sql, type Queryable } from '../../../kernel/database/database.ts';
import { etagOf, matchesEtag } from '../../../kernel/etag.ts';
import { fail } from '../../../kernel/errors.ts';
import { createFairQueue } from '../../../kernel/load/fair-queue.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import type { Services } from '../../../kernel/services.ts';
import { writeCalendar } from './calendar-text.ts';

/** Changes when the same events are written differently: the file format, and the runtime's time zone data. */
const form = `1 ${process.versions['tz'] ?? ''}`;

/** Everything that a feed's content depends on: changes of the calendar, and a sum over the events of hosts who are hidden. */
type Version = { seq: string; hidden: string };
const owner = raw('p.owner_id');
const version = sql`, coalesce((select seq from calendar_users where user_id = ${owner}), 0)::text as seq,
  (select coalesce(sum(hashtextextended(c.event_id, 0)), 0) from calendar_guests c join calendar_events e on e.id = c.event_id join users u on u.id = e.owner_id
    where c.user_id = ${owner} and not (${maySeeUser(owner)}))::text as hidden`;

/** A feed in the iCalendar format; without its text when the client has it already. */
export type FeedFile = { etag: string; text?: string };

/** A large feed takes a second and tens of megabytes, so that few are written at once, and each version once at a time. */
const queue = createFairQueue(
  {
    running: default_limits.feeds_running,
    running_per_account: 1,
    waiting: default_limits.feeds_waiting,
  },
  () => fail('unavailable', { retry_after_s: 5 }),
);
const being_written = new Map<string, Promise<string>>();

/** The feed of an address. It is only built when something in it has changed. @throws ApiError `gone` */
export async function readFeedFile(
  services: Services,
  token: string,
  if_none_match: string | undefined,
): Promise<FeedFile> {
  const { db } = services;
  const { owner_id, seq, hidden } = await requireLink<Version>(db, token, services.clock.now(), 'feed', version);
  const etag = etagOf([owner_id, token, seq, hidden, form].join(' '));
  if (matchesEtag(if_none_match, etag)) return { etag };
  const known = being_written.get(etag);
  if (known) return { etag, text: await known };
  const text = queue.run(owner_id, () => writeFeed(services, owner_id));
  being_written.set(etag, text);
  try {
    return { etag, text: await text };
  } finally {
    being_written.delete(etag);
  }
}

async function writeFeed({ db, public_url }: Services, owner_id: string): Promise<string> {
  const rows = await selectFeedEvents(db, owner_id);
  return writeCalendar(rows, { host: new URL(public_url).hostname, public_url, reader_id: owner_id });
}

/** The newest events of a calendar. */
function selectFeedEvents(db: Queryable, user_id: string): Promise<EventRow[]> {
  const max = default_limits.feed_events;
  return db.many<EventRow>(sql`
    select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id where e.id in (
      (select o.id from calendar_events o where o.owner_id = ${user_id} order by o.id desc limit ${max})
      union all
      (select c.event_id from calendar_guests c join calendar_events o on o.id = c.event_id join users u on u.id = o.owner_id
        where c.user_id = ${user_id} and ${maySeeUser(user_id)} order by c.event_id desc limit ${max}))
    order by e.id desc limit ${max}`);
}
