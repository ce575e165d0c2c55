/** What every media server must return to the service's calls, the embedded one and LiveKit alike. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Media, MediaEvent, Recorder } from '../../engines/ports.ts';
import { publishTone } from '../../../sfu/testing/tones.ts';
import { poll } from '../running/running-service.ts';

type Hook = { raw_body: string; authorization: string | undefined };

/** The media server under test. */
export type MediaTarget = {
  /** The port to which the media server sends its webhooks; 0 when `connect` sets it. */
  hook_port: number;
  /** Creates the adapter for a running media server that sends its webhooks to an address. */
  connect(webhook_url: string): Promise<{ media: Media; recorder: Recorder }>;
};

/** Declares the suite's tests, which receive the webhooks of the media server themselves. */
export function testMedia({ hook_port, connect }: MediaTarget): void {
  let media: Media;
  let recorder: Recorder;
  let listener: Server;
  const hooks: Hook[] = [];
  beforeAll(async () => {
    listener = createServer((request, response) => {
      const receiveHook = async () => {
        hooks.push({ raw_body: await text(request), authorization: request.headers.authorization });
        response.end();
      };
      void receiveHook();
    }).listen(hook_port, '127.0.0.1');
    await once(listener, 'listening');
    ({ media, recorder } = await connect(
      `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1/media/webhook`,
    ));
  });
  afterAll(async () => {
    await recorder.close();
    await media.close();
    listener.close().closeAllConnections();
  });
  const rights = { publish: true, subscribe: true, data: true, admin: false };

  it('returns normally for an absent room or participant', async () => {
    const room = `test-${randomUUID()}`;
    expect(await media.participants(room)).toEqual([]);
    expect(await media.hasRoom(room)).toBe(false);
    expect(await media.sourcesOf(room, 'nobody')).toBeUndefined();
    await media.remove(room, 'nobody');
    await media.mute(room, 'nobody');
    await media.closeRoom(room);
  });

  it('returns a grant that the media server itself accepts', async () => {
    const room = `test-${randomUUID()}`;
    await media.openRoom(room);
    const { url, token } = await media.grant({ room, identity: 'usr_1', name: 'Ann', rights, ttl_s: 60 });
    const address = new URL('/rtc/validate', url.replace(/^ws/, 'http'));
    // https://docs.livekit.io/reference/internals/client-protocol/: the token is a query parameter.
    const validate = (access_token: string) => fetch(`${address.href}?${new URLSearchParams({ access_token })}`);
    expect((await validate(token)).status).toBe(200);
    expect((await validate(`${token.slice(0, -4)}AAAA`)).status).toBe(401);
  });

  it('mutes a microphone, and muting it again has no effect; names what is on', async () => {
    const room = `test-${randomUUID()}`;
    await media.openRoom(room);
    const join = async (identity: string) => {
      const { url, token } = await media.grant({ room, identity, name: identity, rights, ttl_s: 60 });
      const client = new Room();
      await client.connect(url, token, { autoSubscribe: true, dynacast: false });
      return client;
    };
    const [ann, ben] = [await join('usr_ann'), await join('usr_ben')];
    const tone = await publishTone(ben, 440);
    const isMuted = () => [...(ann.remoteParticipants.get('usr_ben')?.trackPublications.values() ?? [])][0]?.muted;
    await poll(async () => isMuted() === false, 'ann to hear ben');
    expect(await media.sourcesOf(room, 'usr_ben')).toEqual(['microphone']);
    expect(await media.sourcesOf(room, 'usr_ann')).toEqual([]);
    await media.mute(room, 'usr_ben');
    await poll(async () => isMuted() === true, 'ben to be muted');
    expect(await media.sourcesOf(room, 'usr_ben')).toEqual([]);
    // A muted participant stays muted.
    await media.mute(room, 'usr_ben');
    expect(isMuted()).toBe(true);
    await tone.stop();
    await media.closeRoom(room);
  });

  it('lists participants, reports them by signed webhooks, removes one, and closes the room', async () => {
    const room = `test-${randomUUID()}`;
    await media.openRoom(room);
    const join = async (identity: string) => {
      const { url, token } = await media.grant({ room, identity, name: identity, rights, ttl_s: 60 });
      const client = new Room();
      await client.connect(url, token, { autoSubscribe: true, dynacast: false });
      return { client, gone: new Promise((resolve) => client.once(RoomEvent.Disconnected, resolve)) };
    };
    const [ann, ben] = [await join('usr_ann'), await join('usr_ben')];
    // A recorder is in the room too, and is neither listed nor reported below.
    const recording = await recorder.start({ room, recording_id: 'rec_presence', withheld: async () => [] });
    await poll(async () => (await media.participants(room)).length === 2, 'both connected');
    await poll(async () => ann.client.isRecording, 'ann to know that she is recorded');
    expect(await media.hasRoom(room)).toBe(true);
    await media.remove(room, 'usr_ben');
    await ben.gone;
    await poll(async () => (await media.participants(room)).length === 1, 'one left');
    expect(await media.participants(room)).toEqual(['usr_ann']);
    await media.closeRoom(room);
    await ann.gone;
    expect(await recording.ended).toMatchObject({ recording_id: 'rec_presence', room });
    expect((await recorder.recover()).map(({ recording_id }) => recording_id)).toEqual(['rec_presence']);
    await recorder.discard('rec_presence');
    expect(await recorder.recover()).toEqual([]);
    await poll(async () => !(await media.hasRoom(room)), 'the end of the room');
    const received = await poll(async () => {
      const events = (await Promise.all(hooks.map((hook) => media.receive(hook.raw_body, hook.authorization)))).filter(
        (event): event is MediaEvent => event?.room === room,
      );
      return events.some(({ kind }) => kind === 'room_finished') && events;
    }, 'the last webhook');
    expect(new Set(received.map(({ kind, identity }) => `${kind} ${identity}`))).toEqual(
      new Set([
        'participant_joined usr_ann',
        'participant_joined usr_ben',
        'participant_left usr_ann',
        'participant_left usr_ben',
        'room_finished undefined',
      ]),
    );
    const [hook] = hooks as [Hook];
    await expect(media.receive(`${hook.raw_body} `, hook.authorization)).rejects.toThrow();
  });
}
