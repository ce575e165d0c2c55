import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreUser, suspendUser } from '../../domain/moderation/suspension.ts';
import { createEvent, fetchAddress, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /calendar/feed', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const feedOf = async ({ token }: { token: string }) => (await world.call('GET /calendar/feed', { token })).body.url;

  it('creates the URL at the first request and returns it again, without storing its token', async () => {
    const { alice } = people;
    const urls = await Promise.all([feedOf(alice), feedOf(alice), feedOf(alice)]);
    expect(new Set(urls).size).toBe(1);
    expect(urls[0]).toMatch(/^http:\/\/asterism\.test\/calendar\/[\w-]{32}\.ics$/);
    const { rows } = await world.app.services.db.native.query('select * from public_links');
    expect(JSON.stringify(rows)).not.toContain(urls[0].split('/').at(-1).replace('.ics', ''));
  });

  it('contains own and shared events, and returns 304 while nothing has changed', async () => {
    const { alice, bob } = people;
    const url = await feedOf(bob);
    await createEvent(world, bob, { title: 'Mine', reminders: [{ minutes_before: 15 }], call: { enabled: true } });
    const theirs = await createEvent(world, alice, { title: 'Theirs', reminders: [{ minutes_before: 20 }] });
    await shareEvent(world, theirs, alice, [bob]);
    const first = await fetchAddress(world, url);
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(first.text).toContain('SUMMARY:Mine');
    expect(first.text).toContain('SUMMARY:Theirs');
    expect(first.text).toContain('TRIGGER:-PT15M');
    expect(first.text).not.toContain('TRIGGER:-PT20M');
    const { etag = '' } = first.headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await fetchAddress(world, url, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    expect((await fetchAddress(world, url)).text).toBe(first.text);
    const changes: (() => Promise<unknown>)[] = [
      () => world.call(`PATCH /calendar/events/${theirs.id}`, { token: alice.token, body: { title: 'Ours' } }),
      () => world.call(`DELETE /calendar/events/${theirs.id}/share`, { token: alice.token }),
      () => createEvent(world, bob, { title: 'Another' }),
    ];
    let last_etag = etag;
    for (const change of changes) {
      await change();
      const next = await fetchAddress(world, url, { 'if-none-match': last_etag });
      expect(next.status).toBe(200);
      last_etag = next.headers['etag'] ?? '';
    }
    expect((await fetchAddress(world, url)).text).not.toContain('Ours');
  });

  it('returns 410 for an unknown token and 404 for a path without extension', async () => {
    const at = 'http://asterism.test/calendar';
    expect((await fetchAddress(world, `${at}/${'a'.repeat(32)}.ics`)).status).toBe(410);
    expect((await fetchAddress(world, `${at}/${'a'.repeat(32)}`)).status).toBe(404);
    // The token of a shared event does not open a feed.
    const event = await createEvent(world, people.carol);
    const { url } = await shareEvent(world, event, people.carol, [], true);
    expect((await fetchAddress(world, `${at}/${url.split('/').at(-1)}.ics`)).status).toBe(410);
  });

  it('changes when one host is hidden and another is not any more', async () => {
    const { alice, bob, carol } = people;
    const url = await feedOf(bob);
    for (const host of [alice, carol])
      await shareEvent(world, await createEvent(world, host, { title: `Of ${host.username}` }), host, [bob]);
    const motive = { operator: 'olga', reason: 'because' };
    await suspendUser(world.app.services, 'carol', motive);
    const { etag = '' } = (await fetchAddress(world, url)).headers;
    await suspendUser(world.app.services, 'alice', motive);
    await restoreUser(world.app.services, 'carol', motive);
    const next = await fetchAddress(world, url, { 'if-none-match': etag });
    expect([next.status, next.text.includes('Of alice'), next.text.includes('Of carol')]).toEqual([200, false, true]);
  });
});
