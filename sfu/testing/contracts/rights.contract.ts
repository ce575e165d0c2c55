/** The effect of the rights in a token in a room, on every media server alike. */
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JoinTarget } from './join.contract.ts';
import { hearFrom, publishTone, until } from '../tones.ts';

/** Declares the suite's tests. @param start starts the media server */
export function testRights(start: () => Promise<JoinTarget>): void {
  let target: JoinTarget;
  let name = '';
  let rooms = 0;
  const open: Room[] = [];
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.close());
  beforeEach(() => {
    name = `rights-${process.pid}-${++rooms}`;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((room) => room.disconnect()));
  });

  const service = () => new RoomServiceClient(target.url, target.api_key, target.api_secret);
  async function connect(identity: string, grant: object): Promise<Room> {
    const token = new AccessToken(target.api_key, target.api_secret, { identity, ttl: 600 });
    token.addGrant({ roomJoin: true, roomCreate: true, room: name, ...grant });
    const room = new Room();
    await room.connect(target.url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
    open.push(room);
    return room;
  }
  const listen = (room: Room): string[] => {
    const messages: string[] = [];
    room.on(RoomEvent.DataReceived, (payload: Uint8Array) => messages.push(Buffer.from(payload).toString()));
    return messages;
  };
  const sendData = (room: Room, text: string) =>
    room.localParticipant?.publishData(new Uint8Array(Buffer.from(text)), { reliable: true });
  const tracksOf = (room: Room, identity: string) =>
    [...(room.remoteParticipants.get(identity)?.trackPublications.values() ?? [])].filter((entry) => entry.track);

  test('a participant without canSubscribe sees the others, and receives no media until the right is granted', async () => {
    const alice = await connect('alice', {});
    const without_subscribe = await connect('deaf', { canSubscribe: false });
    const bob = await connect('bob', {});
    const tone = await publishTone(alice, 440);
    expect(await hearFrom(bob, 'alice', 440)).toBe(true);
    await until(
      'the track to be announced',
      () => (without_subscribe.remoteParticipants.get('alice')?.trackPublications.size ?? 0) > 0,
    );
    expect(tracksOf(without_subscribe, 'alice')).toEqual([]);
    const permission = { canPublish: true, canPublishData: true };
    await service().updateParticipant(name, 'deaf', { permission: { ...permission, canSubscribe: true } });
    expect(await hearFrom(without_subscribe, 'alice', 440)).toBe(true);
    await service().updateParticipant(name, 'deaf', { permission: { ...permission, canSubscribe: false } });
    await until('silence', async () => !(await hearFrom(without_subscribe, 'alice', 440, 1_000)));
    await tone.stop();
  });

  test('a hidden participant receives media, and is visible only to the room service', async () => {
    const alice = await connect('alice', {});
    const appeared: string[] = [];
    alice.on(RoomEvent.ParticipantConnected, ({ identity }: { identity: string }) => appeared.push(identity));
    const hidden = await connect('hidden', { hidden: true, canPublish: false });
    const tone = await publishTone(alice, 440);
    expect(await hearFrom(hidden, 'alice', 440)).toBe(true);
    const bob = await connect('bob', {});
    await until('bob to appear', () => appeared.includes('bob'));
    expect([appeared, [...bob.remoteParticipants.keys()]]).toEqual([['bob'], ['alice']]);
    const listed = (await service().listParticipants(name)).map(({ identity }) => identity);
    expect(listed.toSorted()).toEqual(['alice', 'bob', 'hidden']);
    await tone.stop();
  });

  test('a participant without canPublishData receives data, and its own data is dropped', async () => {
    const [alice, mute] = [await connect('alice', {}), await connect('mute', { canPublishData: false })];
    const [alice_received, mute_received] = [listen(alice), listen(mute)];
    await until(
      'both to see each other',
      () => alice.remoteParticipants.size === 1 && mute.remoteParticipants.size === 1,
    );
    // A client of the native SDK sends without a check; the server drops what is not allowed.
    await sendData(mute, 'unheard')?.catch(() => undefined);
    await sendData(alice, 'heard');
    await until('the data of alice', () => mute_received.includes('heard'));
    const permission = { canPublish: true, canSubscribe: true, canPublishData: true };
    await service().updateParticipant(name, 'mute', { permission });
    await until('the data after the right was given', async () => {
      await sendData(mute, 'allowed')?.catch(() => undefined);
      return alice_received.includes('allowed');
    });
    expect(alice_received).not.toContain('unheard');
  });

  test('revoking canPublish ends the published tracks', async () => {
    const [alice, bob] = [await connect('alice', {}), await connect('bob', {})];
    const tone = await publishTone(alice, 440);
    expect(await hearFrom(bob, 'alice', 440)).toBe(true);
    const permission = { canPublish: false, canSubscribe: true, canPublishData: true };
    await service().updateParticipant(name, 'alice', { permission });
    await until(
      'the track to be removed',
      () => (bob.remoteParticipants.get('alice')?.trackPublications.size ?? 0) === 0,
    );
    await tone.stop();
  });
}
