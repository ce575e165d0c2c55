/** A calendar event as shown to the holder of its public link. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { fail } from '../../kernel/errors.ts';
import { component, nullable, object, oneOf, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { presentUser, PublicUser } from '../accounts/accounts.ts';
import type { LinkRow } from '../public-links/links.ts';
import { eventColumns, eventContent, presentContent, scheduleOf, spanOf, type EventRow } from './events.ts';
import { nextAfter, writeOccurrence } from '../recurrence/schedule.ts';
import type { AnyViewer } from '../visibility/viewer.ts';

export const PublicEvent = component(
  'PublicEvent',
  object({
    kind: oneOf('event'),
    ...eventContent(),
    next: nullable(object(spanOf(), { description: 'The next occurrence.' })),
    owner: PublicUser,
  }),
);

/** The event of a public link. @throws ApiError `gone` when it was deleted meanwhile */
export async function requirePublicEvent(db: Queryable, { subject_id }: LinkRow): Promise<EventRow> {
  const row = await db.maybe<EventRow>(sql`
    select ${eventColumns('')} from calendar_events e join users u on u.id = e.owner_id
    where e.id = ${subject_id}`);
  return row ?? fail('gone', { message: 'This link has expired or was removed.' });
}

/** Presents an event without what only its owner and guests see: who they are, reminders and the call. */
export function presentPublicEvent(row: EventRow, viewer: AnyViewer): Static<typeof PublicEvent> {
  const schedule = scheduleOf(row);
  const next = nextAfter(schedule, Math.floor(viewer.services.clock.now().getTime() / 1000));
  return {
    kind: 'event',
    ...presentContent(row, schedule),
    next: next ? writeOccurrence(schedule, next) : null,
    owner: presentUser(row.owner, viewer),
  };
}

/** Opens the public link of an event. @throws ApiError `gone` */
export async function openEventLink(
  db: Queryable,
  link: LinkRow,
  services: Services,
): Promise<Static<typeof PublicEvent>> {
  return presentPublicEvent(await requirePublicEvent(db, link), { services });
}
