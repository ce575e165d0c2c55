import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreUser, suspendUser } from '../../domain/moderation/suspension.ts';
import { createEvent, fetchAddress, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /public-links/{token}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const open = (url: string) => world.call(`GET /public-links/${(url.split('/').at(-1) ?? '').replace('.ics', '')}`);

  it('shows a shared event without guests, reminders and call', async () => {
    const { alice, bob } = people;
    const event = await createEvent(world, alice, { rrule: 'FREQ=DAILY', call: { enabled: true } });
    const { url } = await shareEvent(world, event, alice, [bob], true);
    const { status, body } = await open(url);
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'event',
      title: 'Rehearsal',
      description: null,
      location: null,
      starts_at: event.starts_at,
      ends_at: event.ends_at,
      all_day: false,
      timezone: 'UTC',
      rrule: 'FREQ=DAILY',
      next: { starts_at: event.starts_at, ends_at: event.ends_at },
      owner: event.owner,
    });
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'alice', motive);
    expect([(await open(url)).status, (await fetchAddress(world, url)).status]).toEqual([410, 410]);
    await restoreUser(world.app.services, 'alice', motive);
    expect((await open(url)).status).toBe(200);
  });

  it('identifies a calendar feed', async () => {
    const { body } = await world.call('GET /calendar/feed', { token: people.bob.token });
    expect((await open(body.url)).body).toEqual({ kind: 'feed', content_type: 'text/calendar' });
  });

  it('returns 410 for tokens that were never issued', async () => {
    for (const token of ['a'.repeat(32), 'x', 'a'.repeat(128)]) {
      const answer = await open(token);
      expect([answer.status, answer.body.error.code]).toEqual([410, 'gone']);
    }
  });

  it('is revoked when its owner deletes their account', async () => {
    const { carol } = people;
    const { url } = await shareEvent(world, await createEvent(world, carol), carol, [], true);
    const feed = (await world.call('GET /calendar/feed', { token: carol.token })).body.url;
    await world.call('DELETE /me', { token: carol.token, body: { password: carol.password } });
    for (const address of [url, feed]) {
      expect((await open(address)).status).toBe(410);
      expect((await fetchAddress(world, address)).status).toBe(410);
    }
    await world.settle();
    const { rows } = await world.app.services.db.native.query(
      `select (select count(*)::int from public_links where owner_id = $1) as links,
         (select count(*)::int from calendar_events where owner_id = $1) as events,
         (select count(*)::int from calendar_changes where user_id = $1) as changes,
         (select count(*)::int from calendar_users where user_id = $1) as users`,
      [carol.id],
    );
    expect(rows).toEqual([{ links: 0, events: 0, changes: 0, users: 0 }]);
  });
});
