import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedFields, createEvent, fetchAddress, shareEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /calendar/events/{event_id}/share', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const put = ({ id }: { id: string }, body: object, { token } = people.alice) =>
    world.call(`PUT /calendar/events/${id}/share`, { token, body });
  const statusFor = async ({ id }: { id: string }, { token }: { token: string }) =>
    (await world.call(`GET /calendar/events/${id}`, { token })).status;

  /** The kinds of the notifications of an event that somebody has. */
  const kindsOf = async ({ id }: { id: string }, { token }: { token: string }): Promise<string[]> => {
    await world.settle();
    const { body } = await world.call('GET /notifications', { token });
    return body.items.flatMap((one: { kind: string; subject: { id: string } }) =>
      one.subject.id === id ? one.kind : [],
    );
  };

  it('shares with the given users, notifies them, and replaces the previous share', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    const first = await shareEvent(world, event, alice, [bob]);
    expect([first.url, first.people.map(({ username }: { username: string }) => username)]).toEqual([null, ['bob']]);
    expect(await kindsOf(event, bob)).toEqual(['event_shared']);
    const { body } = await world.call('GET /notifications', { token: bob.token });
    expect(body.items[0]).toMatchObject({
      subject: { type: 'event', id: event.id },
      text: 'alice shared Rehearsal with you',
    });
    await shareEvent(world, event, alice, [carol]);
    expect([await statusFor(event, bob), await statusFor(event, carol)]).toEqual([404, 200]);
    expect(await kindsOf(event, bob)).toEqual([]);
    const seen = await world.call(`GET /calendar/events/${event.id}`, { token: alice.token });
    expect(seen.body).toMatchObject({ share: { url: null, people: [{ username: 'carol' }] }, revision: 1 });
    expect((await put(event, {})).body).toEqual({ url: null, people: [] });
    expect(await statusFor(event, carol)).toBe(404);
  });

  it('creates a public page and file, whose URL is stable until publishing ends', async () => {
    const { alice } = people;
    const event = await createEvent(world, alice, { title: '<script>alert(1)</script>', call: { enabled: true } });
    const { url } = await shareEvent(world, event, alice, [], true);
    expect(url).toMatch(/^http:\/\/asterism\.test\/e\/[\w-]{32}$/);
    expect((await shareEvent(world, event, alice, [], true)).url).toBe(url);
    const page = await fetchAddress(world, url);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('&lt;script&gt;');
    expect(page.text).not.toContain('<script');
    const file = await fetchAddress(world, `${url}.ics`);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(file.text).toContain('SUMMARY:<script>alert(1)</script>');
    expect(page.text + file.text).not.toContain(event.call.join_code);
    await put(event, { public: false });
    for (const address of [url, `${url}.ics`]) expect((await fetchAddress(world, address)).status).toBe(410);
    const fresh = await shareEvent(world, event, alice, [], true);
    expect(fresh.url).not.toBe(url);
  });

  it('returns the same 422 for blocking, unknown and unreachable users and the owner', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    await world.call('POST /blocks', { token: bob.token, body: { user_id: alice.id } });
    const refusals = [];
    for (const id of [bob.id, `usr_${'0'.repeat(26)}`, alice.id])
      refusals.push(await put(event, { people: [carol.id, id] }));
    expect(refusals.map(refusedFields)).toEqual(refusals.map(() => [422, ['people']]));
    expect(new Set(refusals.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await statusFor(event, carol)).toBe(404);
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    await world.call('PATCH /me', { token: bob.token, body: { reach: { add: 'none' } } });
    expect((await put(event, { people: [bob.id] })).body).toEqual(refusals[1]?.body);
    await world.call('PATCH /me', { token: bob.token, body: { reach: { add: 'everyone' } } });
  });

  it('revokes a share permanently when either side blocks the other', async () => {
    const { alice, bob, carol } = people;
    for (const [blocker, blocked] of [
      [alice, bob],
      [bob, alice],
    ] as const) {
      const event = await createEvent(world, alice);
      await shareEvent(world, event, alice, [bob, carol]);
      await world.call('POST /blocks', { token: blocker.token, body: { user_id: blocked.id } });
      expect([await statusFor(event, bob), await statusFor(event, carol)]).toEqual([404, 200]);
      await world.call(`DELETE /blocks/${blocked.id}`, { token: blocker.token });
      expect(await statusFor(event, bob)).toBe(404);
      const { body } = await world.call(`GET /calendar/events/${event.id}`, { token: alice.token });
      expect(body.share.people.map(({ username }: { username: string }) => username)).toEqual(['carol']);
      const last_event = (await world.events(`user:${bob.id}`)).findLast(({ type }) => type === 'calendar.changed');
      expect(last_event?.data).toEqual({ op: 'delete', event_id: event.id });
    }
  });

  it('returns 403 to guests and 404 to others', async () => {
    const { alice, bob, carol } = people;
    const event = await createEvent(world, alice);
    await shareEvent(world, event, alice, [bob]);
    expect((await put(event, { people: [] }, bob)).status).toBe(403);
    expect((await put(event, { people: [] }, carol)).status).toBe(404);
  });
});
