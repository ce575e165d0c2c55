import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall, timeOutRings } from '../../testing/steps/calls.ts';
import { pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { register, signInAgain, type Persona } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const flood = 30;

describe('limits for strangers', () => {
  let world: World;
  let number = 200;
  let victim: Persona;
  let stranger: Persona;
  const newcomer = (name: string) => register(world, `${name}_${number}`, number++);
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    // The budgets count in windows of the service's clock.
    const now_s = world.clock.now().getTime() / 1000;
    await world.clock.advance(3600 - (now_s % 3600));
    victim = await newcomer('victim');
    stranger = await newcomer('stranger');
    await registerDevice(world, victim, { platform: 'android', token: `device-${number}` });
  });

  const sentPushes = () => pushesOf(world, victim);
  const notificationsOf = (kind: string) =>
    itemsOf(world, '/notifications?limit=100', victim).then((items) =>
      items.filter((item: { kind: string }) => item.kind === kind),
    );
  /** Advances the clock by an hour. Sessions expire after an hour, so that both sign in again. */
  const anHourLater = async () => {
    await world.clock.advance(3600);
    [victim, stranger] = [await signInAgain(world, victim), await signInAgain(world, stranger)];
    await registerDevice(world, victim, { platform: 'android', token: `device-${number}` });
  };
  const mentionOften = async (author: Persona) => {
    for (let at = 0; at < flood; at++) await postStatus(world, author, `Look here @${victim.username} ${at}`);
    await world.settle();
  };

  it('limit the mentions by one stranger to ten an hour', slow, async () => {
    await mentionOften(stranger);
    expect(await notificationsOf('mention')).toHaveLength(10);
    await anHourLater();
    await mentionOften(stranger);
    expect(await notificationsOf('mention')).toHaveLength(20);
  });

  it(
    'limit the mentions of one person by all strangers, those by one author of all, and the rings of all',
    slow,
    async () => {
      const { throttle } = world.app.services;
      const other = await newcomer('other');
      const ring = async (caller: Persona) => {
        await startCall(world, caller, [victim]);
        await timeOutRings(world);
        await world.call('DELETE /calls/active', { token: caller.token });
        return (await itemsOf(world, '/inbox', victim)).length;
      };
      await throttle.consume('stranger_mention_sender', stranger.id, 60);
      await throttle.consume('stranger_ring', victim.id, 19);
      await postStatus(world, stranger, `Look here @${victim.username}`);
      expect(await notificationsOf('mention')).toHaveLength(0);
      await postStatus(world, other, `Look here @${victim.username}`);
      expect(await notificationsOf('mention')).toHaveLength(1);
      await throttle.consume('stranger_mention', victim.id, 59);
      await postStatus(world, other, `And here @${victim.username}`);
      expect(await notificationsOf('mention')).toHaveLength(1);
      expect([await ring(stranger), await ring(other)]).toEqual([1, 1]);
    },
  );

  it('do not apply to mentions by a followed account', slow, async () => {
    await follow(world, await createTag(world, stranger, `known${number}`), victim);
    await mentionOften(stranger);
    expect(await notificationsOf('mention')).toHaveLength(flood);
    // Fewer pushes are sent.
    expect(await sentPushes()).toHaveLength(20);
  });

  it('allow no mention when only contacts may send messages', async () => {
    await world.call('PATCH /me', { token: victim.token, body: { reach: { message: 'contacts' } } });
    await mentionOften(stranger);
    expect([await notificationsOf('mention'), await sentPushes()]).toEqual([[], []]);
  });

  it('limit the pushes for one status to one an hour, though edits mention the person repeatedly', async () => {
    const status = await postStatus(world, stranger, 'Nobody');
    const edit = async (body: string) => {
      const answer = await world.call(`PATCH /statuses/${status.id}`, { token: stranger.token, body: { body } });
      expect(answer.status).toBe(200);
      await world.settle();
    };
    for (let at = 0; at < 5; at++) {
      await edit(`Hello @${victim.username}`);
      await edit('Nobody');
    }
    await edit(`Hello @${victim.username}`);
    expect(await sentPushes()).toHaveLength(1);
    expect(await notificationsOf('mention')).toHaveLength(1);
  });

  it('limit the pushes for repeated follows of a tag to one an hour', async () => {
    const tag = await createTag(world, victim, `tag${number}`);
    for (let at = 0; at < 5; at++) {
      await follow(world, tag, stranger);
      await world.settle();
      await world.call(`DELETE /xtags/${tag.id}/follow`, { token: stranger.token });
    }
    await follow(world, tag, stranger);
    await world.settle();
    expect(await sentPushes()).toHaveLength(1);
    await world.call(`DELETE /xtags/${tag.id}/follow`, { token: stranger.token });
    await anHourLater();
    await follow(world, tag, stranger);
    await world.settle();
    expect(await sentPushes()).toHaveLength(2);
  });

  it('limit unanswered rings by one stranger to five an hour', slow, async () => {
    for (let at = 0; at < 10; at++) {
      await startCall(world, stranger, [victim]);
      await timeOutRings(world);
      await world.call('DELETE /calls/active', { token: stranger.token });
    }
    const missed = await itemsOf(world, '/inbox?limit=100', victim);
    expect(missed.filter((item: { kind: string }) => item.kind === 'missed_call')).toHaveLength(5);
  });

  it('do not apply to rings by a caller whose call was answered', slow, async () => {
    const { join_code, conference_id } = await startCall(world, stranger, [victim]);
    await requestGrants(world, join_code, stranger, victim);
    await connectMedia(world, conference_id, stranger, victim);
    await world.call('DELETE /calls/active', { token: stranger.token });
    await connectMedia(world, conference_id);
    for (let at = 0; at < 8; at++) {
      const { body } = await world.call('POST /calls', {
        token: stranger.token,
        body: { to: [{ user_id: victim.id }] },
      });
      expect((await world.call(`GET /calls/${body.join_code}`, { token: victim.token })).status).toBe(200);
      await world.call('DELETE /calls/active', { token: stranger.token });
    }
  });
});
