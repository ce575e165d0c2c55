import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { follow, createTag } from '../../testing/steps/follows.ts';
import { inSeconds, visibleNames, reportPosition, changeSharing } from '../../testing/steps/location.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /location/settings', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('shares with the selected users, followers or contacts, and with nobody else', async () => {
    const { alice, bob, carol } = people;
    await addContact(world, alice, { name: 'Carol', emails: [{ address: carol.email }] });
    await follow(world, await createTag(world, alice, 'walks'), bob);
    const visibleToBobAndCarol = async () => [await visibleNames(world, bob), await visibleNames(world, carol)];
    expect((await reportPosition(world, alice)).body.error.code).toBe('not_sharing');
    const cases = [
      [{ mode: 'selected', people: [bob.id] }, [['alice'], []]],
      [{ mode: 'selected', people: [carol.id] }, [[], ['alice']]],
      [{ mode: 'followers' }, [['alice'], []]],
      [{ mode: 'contacts' }, [[], ['alice']]],
      [{ mode: 'off' }, [[], []]],
    ] as const;
    for (const [change, expected] of cases) {
      const changed = await changeSharing(world, alice, change);
      expect([changed.status, changed.body.mode]).toEqual([200, change.mode]);
      if (change.mode !== 'off') expect((await reportPosition(world, alice)).status).toBe(204);
      expect(await visibleToBobAndCarol()).toEqual(expected);
    }
    const { body } = await world.call('GET /location/settings', { token: alice.token });
    expect(body).toMatchObject({ mode: 'off', people: [carol.id], viewers: [{ username: 'carol' }], expires_at: null });
  });

  it('leaves nobody selected who is blocked at the same time', async () => {
    const { alice, bob, carol } = people;
    const { db } = world.app.services;
    await changeSharing(world, alice, { mode: 'selected', people: [carol.id] });
    const other = await db.native.connect();
    try {
      // The change of the selection waits after its check for blocks.
      await other.query('begin');
      await other.query('select 1 from location_viewers where owner_id = $1 for update', [alice.id]);
      const changed = changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
      await waitForLocks(world, 1);
      const blocked = world.call('POST /blocks', { token: alice.token, body: { user_id: bob.id } });
      await Promise.race([blocked, waitForLocks(world, 2)]);
      await other.query('commit');
      expect([(await changed).status, (await blocked).status]).toEqual([200, 201]);
    } finally {
      other.release();
    }
    const selected = 'select 1 from location_viewers where owner_id = $1 and viewer_id = $2';
    expect((await db.native.query(selected, [alice.id, bob.id])).rowCount).toBe(0);
  });

  it('requires a valid end within seven days, a valid mode, and known users', async () => {
    const { alice, bob } = people;
    const { token } = alice;
    for (const [body, field] of [
      [{ mode: 'followers' }, 'expires_at'],
      [{ mode: 'followers', expires_at: null }, 'expires_at'],
      [{ mode: 'followers', expires_at: inSeconds(world, -1) }, 'expires_at'],
      [{ mode: 'followers', expires_at: inSeconds(world, 7 * 86_400 + 60) }, 'expires_at'],
      [{ expires_at: inSeconds(world, 60) }, 'expires_at'],
      [{ mode: 'everybody', expires_at: inSeconds(world, 60) }, 'mode'],
      [{ mode: 'public', expires_at: inSeconds(world, 60) }, 'mode'],
      [{ mode: 'selected', people: [`usr_${'0'.repeat(26)}`], expires_at: inSeconds(world, 60) }, 'people.0'],
      [{ mode: 'selected', people: [bob.id, alice.id], expires_at: inSeconds(world, 60) }, 'people.1'],
    ] as const) {
      const answer = await world.call('PATCH /location/settings', { token, body });
      expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, [field]]);
    }
    expect(
      (await changeSharing(world, alice, { mode: 'followers', expires_at: inSeconds(world, 7 * 86_400) })).status,
    ).toBe(200);
    const precise = await world.call('PATCH /location/settings', { token, body: { precision: 'exact' } });
    expect(precise.body).toMatchObject({ mode: 'followers', precision: 'exact' });
    await setReach(world, alice, { find: 'everyone' });
    expect((await changeSharing(world, alice, { mode: 'public' })).body.mode).toBe('public');
    await setReach(world, alice, { find: 'contacts' });
  });

  it('ends automatically, and shows no earlier positions when sharing starts again', async () => {
    const { alice, bob } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id], expires_at: inSeconds(world, 300) });
    await reportPosition(world, alice);
    const before = inSeconds(world, 0);
    expect(await visibleNames(world, bob)).toEqual(['alice']);
    await advanceSeconds(world, 300);
    expect(await visibleNames(world, bob)).toEqual([]);
    const over = await world.call('GET /location/settings', { token: alice.token });
    expect([over.body.mode, over.body.expires_at]).toEqual(['off', null]);
    expect((await reportPosition(world, alice)).body.error.code).toBe('not_sharing');
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
    expect(await visibleNames(world, bob)).toEqual([]);
    // Positions that a client recorded while nothing was shared stay hidden.
    expect((await reportPosition(world, alice, { recorded_at: before })).status).toBe(204);
    expect(await visibleNames(world, bob)).toEqual([]);
    await reportPosition(world, alice);
    expect(await visibleNames(world, bob)).toEqual(['alice']);
  });

  it('shows no earlier positions when it is switched off and on within a second, while a link is live', async () => {
    const { alice, bob } = people;
    const link = { precision: 'exact', expires_at: inSeconds(world, 3600) };
    expect((await world.call('POST /location/links', { token: alice.token, body: link })).status).toBe(201);
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
    await reportPosition(world, alice);
    expect(await visibleNames(world, bob)).toEqual(['alice']);
    // The services's clock counts milliseconds: a later one within the same second.
    const received_at = world.clock.now().getTime();
    while (world.clock.now().getTime() === received_at) await new Promise(setImmediate);
    await changeSharing(world, alice, { mode: 'off' });
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
    expect(await visibleNames(world, bob)).toEqual([]);
    await reportPosition(world, alice);
    expect(await visibleNames(world, bob)).toEqual(['alice']);
  });

  it('is revoked permanently between two users by a block', async () => {
    const { alice, bob } = people;
    await changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
    await reportPosition(world, alice);
    await world.call('POST /blocks', { token: bob.token, body: { user_id: alice.id } });
    expect(await visibleNames(world, bob)).toEqual([]);
    const refused = await changeSharing(world, alice, { mode: 'selected', people: [bob.id] });
    const absent = await changeSharing(world, alice, { mode: 'selected', people: [`usr_${'0'.repeat(26)}`] });
    expect([refused.status, refused.body]).toEqual([422, absent.body]);
    await world.call(`DELETE /blocks/${alice.id}`, { token: bob.token });
    expect(await visibleNames(world, bob)).toEqual([]);
    expect((await world.call('GET /location/settings', { token: alice.token })).body.people).toEqual([]);
  });
});
