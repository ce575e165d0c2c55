import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../kernel/database/database.ts';
import { sessionClock, findPersonas, newestCode, type Personas } from '../../testing/world/personas.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /me/mobile/codes', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    await startBudgetWindow(sessionClock(world));
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const requestCode = (token: string) => world.call('POST /me/mobile/codes', { token, body: {} });

  it('requires a number', async () => {
    const { status, body } = await requestCode(people.uma.token);
    expect([status, body.error.code]).toEqual([409, 'mobile_missing']);
  });

  it('sends a code by SMS and invalidates the previous one', async () => {
    const { token } = people.uma;
    await world.call('PUT /me/mobile', { token, body: { mobile_number: '+14155552671' } });
    const { status, body } = await requestCode(token);
    expect([status, body.channel, body.sent_to]).toEqual([202, 'sms', '+14•••••••71']);
    const old_code = await newestCode(world, '+14155552671');
    await requestCode(token);
    const new_code = await newestCode(world, '+14155552671');
    const verify = (code: string) => world.call('POST /me/mobile/verify', { token, body: { code } });
    const old = await verify(old_code);
    expect([old.status, old.body.error.code]).toEqual([410, 'gone']);
    expect((await verify(new_code)).status).toBe(200);
  });

  it('returns 202 for concurrent requests, after which one code is valid', slow, async () => {
    const unthrottled = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    try {
      const { token, mobile_number } = findPersonas().alice;
      const send = () => unthrottled.call('POST /me/mobile/codes', { token, body: {} });
      const answers = await Promise.all(Array.from({ length: 14 }, send));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      expect((await unthrottled.sent(mobile_number)).length).toBe(14);
      const open = await unthrottled.app.services.db.many(
        sql`select 1 from challenges where user_id = ${people.alice.id} and purpose = 'mobile' and closed_at is null`,
      );
      expect(open).toHaveLength(1);
    } finally {
      await unthrottled.close();
    }
  });

  it('sends at most five codes an hour to a number, for all accounts together', async () => {
    const mobile_number = '+14155552699';
    const statuses = [];
    for (const { token } of [people.alice, people.bob]) {
      await world.call('PUT /me/mobile', { token, body: { mobile_number } });
      for (let at = 0; at < 4; at++) statuses.push((await requestCode(token)).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
    expect(await world.sent(mobile_number)).toHaveLength(5);
  });
});
