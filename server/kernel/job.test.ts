import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver } from '../domain/delivery/delivery.ts';
import { createWorld, type World } from '../testing/world/world.ts';
import { change } from './services.ts';

describe('a job queue', () => {
  let world: World;
  let listener: pg.Client;
  const notifications: string[] = [];
  beforeAll(async () => {
    world = await createWorld();
    const { options } = world.app.services.db.native;
    listener = new pg.Client({ connectionString: options.connectionString });
    await listener.connect();
    listener.on('notification', ({ channel, payload = '' }) =>
      notifications.push(channel === 'marker' ? payload : channel),
    );
    await listener.query('listen "jobs:insert"');
    await listener.query('listen marker');
  });
  afterAll(async () => {
    await listener.end();
    await world.close();
  });

  /** The notifications until now, which arrive in the order of their commits. */
  async function takeNotifications(): Promise<string[]> {
    await listener.query(`notify marker, 'end'`);
    while (notifications.at(-1) !== 'end') await once(listener, 'notification');
    return notifications.splice(0).slice(0, -1);
  }
  const write = (text: string) =>
    change(world.app.services, async (transaction) => {
      deliver(transaction, 'email', 'ann@example.org', { subject: text, text });
    });
  const lock = (locked_at: string) =>
    world.app.services.db.native.query(`update graphile_worker._private_job_queues set locked_at = ${locked_at}`);

  it('notifies workers when it is unlocked while a job waits in it, and not otherwise', async () => {
    await write('first');
    await write('second');
    expect((await takeNotifications()).length).toBeGreaterThan(0);
    await lock('now()');
    expect(await takeNotifications()).toEqual([]);
    await lock('null');
    expect(await takeNotifications()).toEqual(['jobs:insert']);
    await world.settle();
    await takeNotifications();
    await lock('now()');
    await lock('null');
    expect(await takeNotifications()).toEqual([]);
  });

  it('runs its jobs in order', async () => {
    for (const text of ['one', 'two', 'three']) await write(text);
    const letters = (await world.sent('ann@example.org')).map(({ subject }) => subject);
    expect(letters.slice(0, 3)).toEqual(['three', 'two', 'one']);
  });
});
