/** A Twilio phone in a call: signed webhooks over HTTP, and real audio over a media stream into the embedded server. */
import { once } from 'node:events';
import { Room } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startSfu } from '../../../sfu/index.ts';
import { hearFrom, publishTone, shareAt } from '../../../sfu/testing/tones.ts';
import { openPhoneParticipants } from '../../app/media/phone-participants.ts';
import { findPersonas, type Persona } from '../../testing/world/personas.ts';
import { freePort, poll } from '../../testing/running/running-service.ts';
import { startTwilioVoice, twilio_account, type TwilioCall } from '../../testing/providers/twilio-voice.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { createLiveKitMedia } from '../media/livekit.ts';
import { createTwilioTelephony } from './twilio.ts';

const key = { api_key: 'embedded', api_secret: 'a-secret-of-thirty-two-characters' };
const public_url = 'http://asterism.test';
const number = '+493012345678';

/** Sends a frame of a tone every 20 ms. @returns a function that stops it */
function sendTone(stream: { speak(samples: Int16Array): void }, hertz: number): () => void {
  let phase = 0;
  const clock = setInterval(() => {
    const next = () => Math.round(9_000 * Math.sin((2 * Math.PI * hertz * phase++) / 8_000));
    stream.speak(Int16Array.from({ length: 160 }, next));
  }, 20);
  return () => clearInterval(clock);
}

describe('a phone through Twilio', () => {
  let world: World;
  let sfu: Awaited<ReturnType<typeof startSfu>>;
  let twilio: Awaited<ReturnType<typeof startTwilioVoice>>;
  let alice: Persona;
  let client: Room;
  let call: { join_code: string };
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const local = `127.0.0.1:${port}`;
    twilio = await startTwilioVoice((url) => url.replace('asterism.test', local));
    sfu = await startSfu({ host: '127.0.0.1', port: 0, ...key, webhook_url: `http://${local}/v1/media/webhook` });
    const media = await createLiveKitMedia({ api_url: sfu.url, client_url: sfu.url.replace('http', 'ws'), ...key });
    const telephony = createTwilioTelephony({
      ...twilio_account,
      from: '+15005550006',
      dial_in_number: '+15005550006',
      public_url,
      phone_participants: openPhoneParticipants({ api_url: sfu.url }, media),
      base_url: twilio.base_url,
    });
    const environment = { PORT: String(port) };
    world = await createWorld({ engines: { media, telephony }, environment, background: true });
    await world.app.listen();
    ({ alice } = findPersonas());
    call = await request('POST /calls', { to: [] });
    const grant = await request(`POST /calls/${call.join_code}/sfu-grant`, {});
    client = new Room();
    await client.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
    await poll(async () => (await participantOf('alice')).state === 'joined', 'alice');
  });
  afterAll(async () => {
    await client.disconnect();
    await world.close();
    await world.app.services.telephony.close();
    await sfu.close();
    await twilio.close();
  });

  const request = async (route: string, body?: unknown) => {
    const answer = await world.call(route, { token: alice.token, body });
    expect([200, 201, 204], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.body;
  };
  const participants = async (): Promise<{ id: string; name: string; state: string }[]> =>
    (await request(`GET /calls/${call.join_code}`)).participants;
  const participantOf = async (name: string) => {
    const found = (await participants()).find((one) => one.name === name);
    if (!found) throw new Error(`${name} is not in the call`);
    return found;
  };
  const waitForState = (name: string, state: string) =>
    poll(
      async () => (await participants()).some((one) => one.name === name && one.state === state),
      `${name} to be ${state}`,
    );
  const bridge = async (): Promise<TwilioCall> => {
    const before = twilio.calls.size;
    await request('POST /calls/active/bridge-phone', { number, name: 'Gran' });
    await poll(async () => twilio.calls.size > before, 'the call at Twilio');
    return twilio.last();
  };
  const postStatus = async (phone_call: TwilioCall, status: string, more = {}) => {
    expect((await twilio.post(twilio.signStatus(phone_call, status, more))).status).toBe(200);
  };

  // A number that still rings would not be called again by the next test.
  afterEach(async () => {
    for (const { id, state } of await participants())
      if (state === 'ringing') await request(`DELETE /calls/active/participants/${id}`);
  });

  /** Checks that both ends receive the audio of the other. */
  async function talk(phone_call: TwilioCall, name: string, hertz: number) {
    const stream = await twilio.openStream(phone_call);
    const stop = sendTone(stream, hertz);
    await waitForState(name, 'joined');
    expect(await hearFrom(client, (await participantOf(name)).id, hertz)).toBe(true);
    stop();
    const tone = await publishTone(client, 440);
    const receivesTone = () => stream.received_audio.slice(-15).every((samples) => shareAt(samples, 8_000, 440) > 0.5);
    await poll(async () => stream.received_audio.length > 15 && receivesTone(), 'the tone of the client at the phone');
    await tone.stop();
    await client.localParticipant?.unpublishTrack(tone.publication?.sid ?? '');
    return stream;
  }

  it('rings, is answered, transmits audio both ways, and is hung up by the host', async () => {
    const phone_call = await bridge();
    await postStatus(phone_call, 'ringing');
    await waitForState('Gran', 'ringing');
    await postStatus(phone_call, 'in-progress');
    const stream = await talk(phone_call, 'Gran', 700);
    await request(`DELETE /calls/active/participants/${(await participantOf('Gran')).id}`);
    await stream.closed;
    await poll(async () => phone_call.status === 'completed', 'the call at Twilio to be completed');
    // The carrier and the client are told independently of each other.
    await poll(async () => client.remoteParticipants.size === 0, 'the phone to have left the room');
  });

  it.each([
    ['busy', {}, 'busy', 'twilio:busy'],
    ['no-answer', {}, 'no_answer', 'twilio:no-answer'],
    ['failed', { SipResponseCode: '404' }, 'failed', 'sip:404'],
    ['canceled', {}, 'no_answer', 'twilio:canceled'],
  ])('reports a phone that is %s', async (status, more, state, code) => {
    const phone_call = await bridge();
    await postStatus(phone_call, 'ringing');
    await postStatus(phone_call, status, more);
    await waitForState('Gran', state);
    // A late status changes nothing.
    await postStatus(phone_call, 'in-progress');
    expect((await participantOf('Gran')).state).toBe(state);
    const { rows } = await world.app.services.db.native.query('select code from call_legs order by id desc limit 1');
    expect(rows[0].code).toBe(code);
  });

  it('admits a phone that dials the number and enters the digits, until it hangs up', async () => {
    const phone = twilio.dialIn();
    const send = (url: string, form: Record<string, string>) =>
      twilio.post(twilio.sign(url, { CallSid: phone.sid, From: '+4930555001', CallStatus: 'in-progress', ...form }));
    const hook = `${public_url}/v1/telephony/webhook`;
    expect((await send(hook, {})).body).toContain('<Gather');
    expect((await send(`${hook}?attempt=1`, { Digits: '00000000' })).body).toContain('No call has these digits');
    const { dial_in } = await request(`GET /calls/${call.join_code}`);
    phone.twiml = (await send(`${hook}?attempt=2`, { Digits: dial_in.pin })).body;
    const stream = await talk(phone, 'Phone', 1_000);
    stream.stop();
    await postStatus(phone, 'completed');
    await waitForState('Phone', 'left');
    await poll(async () => client.remoteParticipants.size === 0, 'the phone to leave the room');
  });

  it('closes a stream that sends too many frames', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/telephony/stream`);
    const closed = once(socket, 'close') as Promise<[number]>;
    await once(socket, 'open');
    for (let sent = 0; sent < 2_000; sent++) socket.send('{}');
    expect((await closed)[0]).toBe(4028);
  });

  it('rejects a webhook without a valid signature, and a stream without a valid token', async () => {
    const { url, raw_body } = twilio.signStatus(await bridge(), 'in-progress');
    const forged = { url, raw_body, headers: { 'x-twilio-signature': 'AAAA' } };
    expect((await twilio.post(forged)).status).toBe(401);
    expect((await participantOf('Gran')).state).toBe('ringing');
    const stranger = twilio.dialIn();
    stranger.twiml = `<Stream url="ws://asterism.test/v1/telephony/stream"><Parameter name="token" value="a.b"/></Stream>`;
    await (
      await twilio.openStream(stranger)
    ).closed;
    expect(client.remoteParticipants.size).toBe(0);
  });
});
