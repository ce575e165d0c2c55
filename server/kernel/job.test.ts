import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver } from '../domain/messages/delivery.ts';
import { createWorld, type World } from '../testing/world.ts';
import { change } from './services.ts';

describe('a queue of jobs', () => {
  let world: World;
  let listener: pg.Client;
  const heard: string[] = [];
  beforeAll(async () => {
    world = await createWorld();
    const { options } = world.app.services.db.native;
    listener = new pg.Client({ connectionString: options.connectionString });
    await listener.connect();
    listener.on('notification', ({ channel, payload = '' }) => heard.push(channel === 'marker' ? payload : channel));
    await listener.query('listen "jobs:insert"');
    await listener.query('listen marker');
  });
  afterAll(async () => {
    await listener.end();
    await world.close();
  });

  /** What is heard until now: notifications arrive in the order of their commits. */
  async function listen(): Promise<string[]> {
    await listener.query(`notify marker, 'end'`);
    while (heard.at(-1) !== 'end') await once(listener, 'notification');
    return heard.splice(0).slice(0, -1);
  }
  const write = (text: string) =>
    change(world.app.services, async (one) => {
      deliver(one, world.app.services, 'email', 'ann@example.org', { subject: text, text });
    });
  const lock = (locked_at: string) =>
    world.app.services.db.native.query(`update graphile_worker._private_job_queues set locked_at = ${locked_at}`);

  it('wakes a worker when it becomes free while a job waits in it, and not otherwise', async () => {
    await write('first');
    await write('second');
    expect((await listen()).length).toBeGreaterThan(0);
    await lock('now()');
    expect(await listen()).toEqual([]);
    await lock('null');
    expect(await listen()).toEqual(['jobs:insert']);
    await world.settle();
    await listen();
    await lock('now()');
    await lock('null');
    expect(await listen()).toEqual([]);
  });

  it('hands out its jobs in their order', async () => {
    for (const text of ['one', 'two', 'three']) await write(text);
    const letters = (await world.sent('ann@example.org')).map(({ subject }) => subject);
    expect(letters.slice(0, 3)).toEqual(['three', 'two', 'one']);
  });
});
