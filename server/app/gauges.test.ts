import { once } from 'node:events';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu, type Sfu } from '../../sfu/index.ts';
import { createLiveKitMedia } from '../engines/media/livekit.ts';
import { startCall } from '../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../testing/world/personas.ts';
import { createWorld, type World } from '../testing/world/world.ts';
import { slow } from '../../testing/slow-tests.ts';

const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };

describe('GET /metrics', () => {
  let sfu: Sfu;
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key });
    const media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
    world = await createWorld({ engines: { media: { ...media, counts: () => sfu.stats() } } });
    people = findPersonas();
  });
  afterAll(async () => {
    await world.close();
    await sfu.close();
  });

  const read = async (name: string): Promise<number> => {
    const { status, body } = await world.call('GET /metrics', {});
    expect(status).toBe(200);
    return Number(new RegExp(`^asterism_${name} (.+)$`, 'm').exec(body)?.[1]);
  };

  it('counts the calls with a participant who has joined or is joining', async () => {
    expect(await read('calls_active')).toBe(0);
    await startCall(world, people.alice, [people.bob]);
    await startCall(world, people.carol, []);
    expect(await read('calls_active')).toBe(2);
    await world.call('DELETE /calls/active', { token: people.carol.token });
    expect(await read('calls_active')).toBe(1);
  });

  it('counts the rooms and participants of the embedded media server', slow, async () => {
    expect([await read('media_rooms'), await read('media_participants')]).toEqual([0, 0]);
    await new RoomServiceClient(sfu.url, key.api_key, key.api_secret).createRoom({ name: 'conf_1' });
    expect([await read('media_rooms'), await read('media_participants')]).toEqual([1, 0]);
    const rights = { publish: true, subscribe: true, data: true, admin: false };
    const grant = await world.app.services.media.grant({
      room: 'conf_1',
      identity: 'usr_1',
      name: 'Ann',
      rights,
      ttl_s: 60,
    });
    const socket = new WebSocket(`${grant.url}/rtc?access_token=${grant.token}`);
    await once(socket, 'message');
    expect([await read('media_rooms'), await read('media_participants')]).toEqual([1, 1]);
    for (const name of [
      'packets_in',
      'packets_out',
      'bytes_in',
      'bytes_out',
      'lost_in',
      'refused_in',
      'missed_out',
      'shed_out',
    ])
      expect(await read(`media_${name}`)).toBe(0);
    socket.terminate();
  });

  it('reports NaN for a gauge that cannot be read, and the values of the others', async () => {
    const broken = await createWorld();
    const { db } = broken.app.services;
    db.one = () => Promise.reject(new Error('the database is away'));
    const { body } = await broken.call('GET /metrics', {});
    expect(body).toMatch(/^asterism_calls_active Nan$/im);
    expect(body).toMatch(/^asterism_realtime_connections 0$/m);
    // There are no media gauges without an embedded media server.
    expect(body).not.toContain('asterism_media_');
    await broken.close();
  });
});
