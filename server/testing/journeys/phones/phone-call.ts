/** Phones in a call, simulated in the console: their audio is real media, and they end in every way. */
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hearFrom, publishTone } from '../../../../sfu/testing/tones.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import type { Environment } from '../calls/api-call.ts';

const gran = '+493012345678';
const uncle = '+493012345679';

/** Declares the journey's tests, each of which continues the previous one. */
export function testPhoneCall({ configure }: Pick<Environment, 'configure'>): void {
  let service: Service;
  let people: RunningPerson[] = [];
  let call: { join_code: string; conference_id: string; dial_in: { number: string; pin: string } };
  const rooms: Room[] = [];
  let ada_tone: Awaited<ReturnType<typeof publishTone>>;

  beforeAll(async () => {
    service = await startService({ configure });
    people = [await signUp(service, 'ada', '+14155550101'), await signUp(service, 'ben', '+14155550102')];
  });
  afterAll(async () => {
    for (const room of rooms) await room.disconnect();
    await service?.close();
  });

  const request = async (at: number, route: string, body?: unknown) => {
    const answer = await service.call(route, { token: people[at]?.token ?? '', body });
    expect([200, 201, 202, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
    return answer.body;
  };
  const requestConsole = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const answer = await fetch(`${service.url}/console/phone/${path}`, init);
    return { status: answer.status, body: (await answer.json()) as any }; // oxlint-disable-line typescript/no-explicit-any -- tests read answers freely
  };
  /** The newest leg to a number, once the carrier was requested to ring it. */
  const legTo = (number: string, state?: string) =>
    poll(async () => {
      const { body } = await requestConsole('legs');
      const leg = body.items.find((item: { number: string }) => item.number === number);
      return (!state || leg?.state === state) && leg;
    }, `a leg to ${number}`);
  const simulate = async (number: string, move: object) => {
    const { leg_id } = await legTo(number);
    const { status, body } = await requestConsole(`legs/${leg_id}`, move);
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const participantOf = async (name: string) => {
    const { participants } = await request(0, `GET /calls/${call.join_code}`);
    return participants.find((participant: { name: string }) => participant.name === name);
  };
  const awaitState = (name: string, state: string) =>
    poll(async () => (await participantOf(name))?.state === state, `${name} to be ${state}`);

  it('starts a call with a dial-in number and a PIN', async () => {
    call = await request(0, 'POST /calls', { to: [{ user_id: people[1]?.id }] });
    expect(call.dial_in).toEqual({ number: '+14155550199', pin: expect.stringMatching(/^\d{8}$/) });
    for (const at of [0, 1]) {
      const grant = await request(at, `POST /calls/${call.join_code}/sfu-grant`, {});
      const room = new Room();
      await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
      rooms.push(room);
    }
    await awaitState('ben', 'joined');
  });

  it('joins a phone whose tone both receive, and which receives their audio', async () => {
    const { participants } = await request(0, 'POST /calls/active/bridge-phone', { number: gran, name: 'Gran' });
    const { id } = participants.at(-1);
    await simulate(gran, { state: 'ringing' });
    await awaitState('Gran', 'ringing');
    expect((await legTo(gran)).sound).toBe(null);
    await simulate(gran, { state: 'answered', tone_hz: 700 });
    await awaitState('Gran', 'joined');
    for (const room of rooms) expect(await hearFrom(room, id, 700)).toBe(true);
    expect((await legTo(gran)).sound).toEqual({ tone_hz: 700, hears_dbov: null });
    ada_tone = await publishTone(rooms[0] as Room, 440);
    await poll(async () => (await legTo(gran)).sound.hears_dbov > -20, 'Gran to hear Ada');
  });

  it('forwards DTMF digits, and hangs up from either end', async () => {
    const keys: string[] = [];
    rooms[1]?.on('dtmfReceived', (_code, digit) => void keys.push(digit));
    await simulate(gran, { state: 'answered', digits: '42#' });
    await poll(async () => keys.join('') === '42#', 'the keys');
    await simulate(gran, { state: 'hung_up' });
    await awaitState('Gran', 'left');
    expect(await legTo(gran)).toMatchObject({ state: 'hung_up', sound: null });
    await request(0, 'POST /calls/active/bridge-phone', { number: uncle, name: 'Uncle' });
    await simulate(uncle, { state: 'answered' });
    await awaitState('Uncle', 'joined');
    const { id } = await participantOf('Uncle');
    await request(0, `DELETE /calls/active/participants/${id}`);
    await legTo(uncle, 'hung_up');
    await poll(async () => !rooms[0]?.remoteParticipants.has(id), 'the phone to leave the room');
  });

  it.each([
    ['busy', 'busy'],
    ['no_answer', 'no_answer'],
    ['failed', 'failed'],
    ['hung_up', 'no_answer'],
  ])('reports a phone that is %s before it is answered', async (state, expected) => {
    await request(0, 'POST /calls/active/bridge-phone', { number: gran, name: 'Gran' });
    await simulate(gran, { state: 'ringing' });
    await simulate(gran, { state });
    await awaitState('Gran', expected);
    const again = await requestConsole(`legs/${(await legTo(gran)).leg_id}`, { state: 'answered' });
    expect([again.status, again.body.error.code]).toEqual([422, 'validation_failed']);
  });

  it('admits a phone that dials in with the PIN of the call, and no other', async () => {
    const wrong = await requestConsole('calls', { from: '+4930555001', digits: '00000000' });
    expect([wrong.status, wrong.body.error.code]).toEqual([404, 'not_found']);
    // Removing a phone has changed the PIN.
    const first_pin = call.dial_in.pin;
    call = await request(0, `GET /calls/${call.join_code}`);
    expect(call.dial_in.pin).not.toBe(first_pin);
    const { status, body } = await requestConsole('calls', {
      from: '+4930555002',
      digits: `${call.dial_in.pin}#`,
      tone_hz: 1_100,
    });
    expect([status, body.state, body.sound.tone_hz]).toEqual([201, 'answered', 1_100]);
    await awaitState('Phone', 'joined');
    expect(await hearFrom(rooms[1] as Room, (await participantOf('Phone')).id, 1_100)).toBe(true);
    await poll(async () => (await legTo('+4930555002')).sound.hears_dbov > -20, 'the phone to hear Ada');
  });

  it('disconnects all phones with the end of the call', async () => {
    await ada_tone.stop();
    await request(0, 'DELETE /calls/active');
    await poll(async () => (await legTo('+4930555002', 'hung_up')).sound === null, 'the phone to leave the room');
    const late = await requestConsole('calls', { from: '+4930555003', digits: call.dial_in.pin });
    expect(late.status).toBe(404);
  });
}
