/** The service owns the ring: an answer, a decline or a hang-up ends it on five devices within a second (N4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket, openSse, type Receiver } from '../../running/realtime-receivers.ts';
import { requestStreamGrant, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

type CallEvent = {
  type: string;
  data: {
    call?: { conference_id: string; state: string; participants: { user: { id: string } | null; state: string }[] };
  };
};

describe('five devices of one person', () => {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  const devices: (Receiver & { token: string })[] = [];
  beforeAll(async () => {
    service = await startService({ environment: { THROTTLE_FACTOR: '1000' } });
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
    for (let at = 0; at < 5; at++) {
      const token = at === 0 ? ben.token : await signInAgain();
      const receiver =
        at % 2 === 0
          ? await openSocket(await requestStreamGrant(service, token))
          : await openSse(`${service.url}/v1/realtime/stream`, token);
      devices.push({ ...receiver, token });
    }
  });
  afterAll(async () => {
    for (const device of devices) device.close();
    await service.close();
  });

  async function signInAgain(): Promise<string> {
    const previous = await service.codeFor('ben@example.org');
    const { body } = await service.call('POST /auth/login', { body: { username: 'ben', password } });
    const code = await poll(async () => {
      const newest = await service.codeFor('ben@example.org');
      return newest !== previous && newest;
    }, 'a new code');
    return (await service.call('POST /auth/login/verify', { body: { login_id: body.login_id, code } })).body.token;
  }

  /** The events that a device has received about a call, in order. */
  const eventsOf = (device: Receiver, conference_id: string): CallEvent[] =>
    device.received
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => /\{.*"type".*\}/.exec(line)?.[0] ?? [])
      .map((text) => JSON.parse(text) as CallEvent)
      .filter(({ data }) => data?.call?.conference_id === conference_id);
  const rings = (device: Receiver, id: string) => eventsOf(device, id).some(({ type }) => type === 'call.ringing');
  const isSilent = (device: Receiver, id: string) => {
    const last = eventsOf(device, id).at(-1)?.data.call;
    return last?.participants.find(({ user }) => user?.id === ben.id)?.state !== 'ringing';
  };

  async function ring(): Promise<{ conference_id: string; join_code: string }> {
    const { status, body } = await service.call('POST /calls', {
      token: ada.token,
      body: { to: [{ user_id: ben.id }] },
    });
    expect(status).toBe(201);
    await poll(async () => devices.every((device) => rings(device, body.conference_id)), 'all five to ring');
    return body;
  }

  type Call = { join_code: string };
  const post = async (route: string, token: string) => void (await service.call(`POST ${route}`, { token, body: {} }));
  const acts: [string, (call: Call, token: string) => Promise<void>][] = [
    ['an answer on one device', ({ join_code }, token) => post(`/calls/${join_code}/sfu-grant`, token)],
    ['a decline on one device', ({ join_code }, token) => post(`/calls/${join_code}/decline`, token)],
    ['a hang-up of the caller', async () => void (await service.call('DELETE /calls/active', { token: ada.token }))],
  ];

  it.each(acts)('stop ringing within a second of %s', async (_way, act) => {
    const call = await ring();
    const started_ms = performance.now();
    await act(call, devices[3]?.token ?? '');
    await poll(async () => devices.every((device) => isSilent(device, call.conference_id)), 'all five to be silent');
    expect(performance.now() - started_ms).toBeLessThan(1000);
    for (const token of [ada.token, ben.token]) await service.call('DELETE /calls/active', { token });
  });
});
