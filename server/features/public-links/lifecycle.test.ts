import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMaintenance } from '../../app/jobs/maintenance.ts';
import { createEvent, shareEvent } from '../../testing/steps/calendar.ts';
import { inSeconds } from '../../testing/steps/location.ts';
import { findPersonas, password, type Personas } from '../../testing/world/personas.ts';
import { extendSessions, restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { sql } from '../../kernel/database/database.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('public links', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    await runMaintenance(world.app.services);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const count = () => world.app.services.db.run(sql`select 1 from public_links where owner_id = ${people.alice.id}`);
  const ask = (route: string, body: object = {}) => world.call(route, { token: people.alice.token, body });
  const createLink = () => ask('POST /location/links', { expires_at: inSeconds(world, 3600) });
  const advanceDay = async () => {
    await extendSessions(world, 26 * 3600);
    await world.clock.advance(26 * 3600);
    await world.settle();
  };

  it('are deleted a day after they have ended, except for the newest address of a feed', async () => {
    const { alice } = people;
    const event = await createEvent(world, alice);
    for (let at = 0; at < 3; at++) {
      await shareEvent(world, event, alice, [], true);
      await shareEvent(world, event, alice, [], false);
      await ask('POST /calendar/feed/regenerate');
    }
    await ask('DELETE /calendar/feed');
    expect((await createLink()).status).toBe(201);
    await ask('POST /invites', { channel: 'email', to: 'someone@example.org' });
    expect(await count()).toBe(8);
    await advanceDay();
    const { db } = world.app.services;
    const kinds = await db.many<{ kind: string }>(
      sql`select kind from public_links where owner_id = ${alice.id} order by kind`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['feed', 'invite']);
    // A revoked feed stays revoked until it is regenerated.
    expect((await ask('GET /calendar/feed')).status).toBe(404);
  });

  it('of all kinds are deleted with the account of their owner', async () => {
    const { alice } = people;
    await shareEvent(world, await createEvent(world, alice), alice, [], true);
    expect((await ask('GET /calendar/feed')).status).toBe(200);
    expect((await createLink()).status).toBe(201);
    await ask('POST /invites', { channel: 'email', to: 'someone@example.org' });
    expect(await count()).toBe(4);
    expect((await ask('DELETE /me', { password })).status).toBe(204);
    await world.settle();
    expect(await count()).toBe(0);
  });

  it('are found by what they open, without reading those of others', slow, async () => {
    const { db } = world.app.services;
    const links = (await createLink()).body;
    await db.run(sql`
      insert into public_links (token_hash, kind, subject_id, owner_id, created_at)
      select 'other ' || n, 'location', 'lnk_' || n, ${people.bob.id}, now() from generate_series(1, 20000) n`);
    await db.run(sql`analyze public_links`);
    const plan = await db.many<{ 'QUERY PLAN': string }>(sql`
      explain select sealed from public_links where kind = 'location' and subject_id = ${links.id}`);
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  });
});
