/** Phones in a call, played through the console: their sound is real media, and every way in which they end. */
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hearFrom, publishTone } from '../../../sfu/testing/tones.ts';
import { signUp, type RunningPerson } from '../running-people.ts';
import { poll, startService, type Service } from '../running-service.ts';
import type { Environment } from './api-call.ts';

const gran = '+493012345678';
const uncle = '+493012345679';

/** Declares the journey's tests, which go on from each other. */
export function testPhoneCall({ configure }: Pick<Environment, 'configure'>): void {
  let service: Service;
  let people: RunningPerson[] = [];
  let call: { join_code: string; conference_id: string; dial_in: { number: string; pin: string } };
  const rooms: Room[] = [];
  let ada_sings: Awaited<ReturnType<typeof publishTone>>;

  beforeAll(async () => {
    service = await startService({ configure });
    people = [await signUp(service, 'ada', '+14155550101'), await signUp(service, 'ben', '+14155550102')];
  }, 60_000);
  afterAll(async () => {
    for (const room of rooms) await room.disconnect();
    await service?.close();
  });

  const ask = async (at: number, route: string, body?: unknown) => {
    const answer = await service.call(route, { token: people[at]?.token ?? '', body });
    expect([200, 201, 202, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    return answer.body;
  };
  const askConsole = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const answer = await fetch(`${service.url}/console/phone/${path}`, init);
    return { status: answer.status, body: (await answer.json()) as any }; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely
  };
  /** The newest leg to a number, once the carrier has been asked to ring it. */
  const legTo = (number: string, state?: string) =>
    poll(async () => {
      const { body } = await askConsole('legs');
      const leg = body.items.find((one: { number: string }) => one.number === number);
      return (!state || leg?.state === state) && leg;
    }, `a leg to ${number}`);
  const play = async (number: string, move: object) => {
    const { leg_id } = await legTo(number);
    const { status, body } = await askConsole(`legs/${leg_id}`, move);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const participantOf = async (name: string) => {
    const { participants } = await ask(0, `GET /calls/${call.join_code}`);
    return participants.find((one: { name: string }) => one.name === name);
  };
  const reach = (name: string, state: string) =>
    poll(async () => (await participantOf(name))?.state === state, `${name} to be ${state}`);

  it('starts a call that says how to dial in', async () => {
    call = await ask(0, 'POST /calls', { to: [{ user_id: people[1]?.id }] });
    expect(call.dial_in).toEqual({ number: '+14155550199', pin: expect.stringMatching(/^\d{8}$/) });
    for (const at of [0, 1]) {
      const grant = await ask(at, `POST /calls/${call.join_code}/sfu-grant`, {});
      const room = new Room();
      await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
      rooms.push(room);
    }
    await reach('ben', 'joined');
  });

  it('brings a phone in whose tone both hear, and which hears them', async () => {
    const { participants } = await ask(0, 'POST /calls/active/bridge-phone', { number: gran, name: 'Gran' });
    const { id } = participants.at(-1);
    await play(gran, { state: 'ringing' });
    await reach('Gran', 'ringing');
    expect((await legTo(gran)).sound).toBe(null);
    await play(gran, { state: 'answered', tone_hz: 700 });
    await reach('Gran', 'joined');
    for (const room of rooms) expect(await hearFrom(room, id, 700)).toBe(true);
    expect((await legTo(gran)).sound).toEqual({ tone_hz: 700, hears_dbov: null });
    ada_sings = await publishTone(rooms[0] as Room, 440);
    await poll(async () => (await legTo(gran)).sound.hears_dbov > -20, 'Gran to hear Ada');
  });

  it('carries keys, and hangs up from either end', async () => {
    const keys: string[] = [];
    rooms[1]?.on('dtmfReceived', (_code, digit) => void keys.push(digit));
    await play(gran, { state: 'answered', digits: '42#' });
    await poll(async () => keys.join('') === '42#', 'the keys');
    await play(gran, { state: 'hung_up' });
    await reach('Gran', 'left');
    expect(await legTo(gran)).toMatchObject({ state: 'hung_up', sound: null });
    await ask(0, 'POST /calls/active/bridge-phone', { number: uncle, name: 'Uncle' });
    await play(uncle, { state: 'answered' });
    await reach('Uncle', 'joined');
    const { id } = await participantOf('Uncle');
    await ask(0, `DELETE /calls/active/participants/${id}`);
    await legTo(uncle, 'hung_up');
    await poll(async () => !rooms[0]?.remoteParticipants.has(id), 'the phone to leave the room');
  });

  it.each([
    ['busy', 'busy'],
    ['no_answer', 'no_answer'],
    ['failed', 'failed'],
    ['hung_up', 'no_answer'],
  ])('tells a phone that is %s before it is picked up', async (state, seen) => {
    await ask(0, 'POST /calls/active/bridge-phone', { number: gran, name: 'Gran' });
    await play(gran, { state: 'ringing' });
    await play(gran, { state });
    await reach('Gran', seen);
    const again = await askConsole(`legs/${(await legTo(gran)).leg_id}`, { state: 'answered' });
    expect([again.status, again.body.error.code]).toEqual([422, 'validation_failed']);
  });

  it('lets a phone in that dials the number and types the digits, and no other', async () => {
    const wrong = await askConsole('calls', { from: '+4930555001', digits: '00000000' });
    expect([wrong.status, wrong.body.error.code]).toEqual([404, 'not_found']);
    const { status, body } = await askConsole('calls', {
      from: '+4930555002',
      digits: `${call.dial_in.pin}#`,
      tone_hz: 1_100,
    });
    expect([status, body.state, body.sound.tone_hz]).toEqual([201, 'answered', 1_100]);
    await reach('Phone', 'joined');
    expect(await hearFrom(rooms[1] as Room, (await participantOf('Phone')).id, 1_100)).toBe(true);
    await poll(async () => (await legTo('+4930555002')).sound.hears_dbov > -20, 'the phone to hear Ada');
  });

  it('takes all phones out with the end of the call', async () => {
    await ada_sings.stop();
    await ask(0, 'DELETE /calls/active');
    await poll(async () => (await legTo('+4930555002', 'hung_up')).sound === null, 'the phone to leave the room');
    const late = await askConsole('calls', { from: '+4930555003', digits: call.dial_in.pin });
    expect(late.status).toBe(404);
  });
}
