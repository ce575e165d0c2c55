import { EventShare, presentEvent, requireOwnEvent } from '../../domain/calendar/events.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { insertLink, revokeLink } from '../../domain/public-links/links.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { emitChanged } from './events.ts';
import { lockEvent } from './queries.ts';
import { addGuests, removeGuests, selectGuests } from './rules/guests.ts';
import { EventPath } from './schemas.ts';

export const shareEvent = endpoint({
  id: 'shareEvent',
  route: 'PUT /calendar/events/{event_id}/share',
  summary: 'Share an event',
  description: 'With people, by a public link, or both. Replaces the previous sharing.',
  path: EventPath,
  body: object({
    people: optional(Type.Array(idOf('usr'), { maxItems: default_limits.event_guests })),
    public: optional(Type.Boolean()),
  }),
  reply: EventShare,
  errors: ['forbidden'],
  async run({ path: { event_id }, body, consume, ...change }) {
    const viewer = viewerOf(change);
    const { db } = change;
    const [, row, guests] = await Promise.all([
      lockEvent(db, event_id),
      requireOwnEvent(db, event_id, viewer.id),
      selectGuests(db, event_id),
    ]);
    const people = [...new Set(body.people)];
    if (people.includes(viewer.id)) invalid({ people: 'includes someone who cannot be invited' });
    const added = people.filter((id) => !guests.includes(id));
    if (added.length > 0) await consume('event_share', viewer.id, added.length);
    await addGuests(change, event_id, viewer.id, added);
    await removeGuests(
      change,
      event_id,
      guests.filter((id) => !people.includes(id)),
    );
    if (body.public === true && row.share_sealed === null)
      await insertLink(change, { kind: 'event', subject_id: event_id, owner_id: viewer.id });
    if (body.public !== true && row.share_sealed !== null) await revokeLink(change, 'event', event_id);
    const changed = await emitChanged(change, event_id, viewer.id);
    for (const to of added)
      await notify(change, {
        to,
        kind: 'event_shared',
        subject: { type: 'event', id: event_id },
        actor_id: viewer.id,
        source_id: event_id,
      });
    return presentEvent(changed, viewer).share ?? { url: null, people: [] };
  },
});
