/** Whoever is taken out of a call hears nothing of it a second later, however often and by whatever token they try. */
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishTone } from '../../../sfu/testing/tones.ts';
import { startPersistentListener, type PersistentListener } from '../persistent-listener.ts';
import { requestAs, signUp, type RunningPerson } from '../running-people.ts';
import { poll, startService, type Service, type ServiceOptions } from '../running-service.ts';

/** From when on nothing may be heard, and for how long that is watched. */
const silent_after_ms = 1_000;
const watched_ms = 2_500;

type Named = { id: string } | null;
type Call = { join_code: string; participants: { id: string; user: Named; guest: Named }[] };
/** Who listens: somebody with an account, or who came by the call's link. */
type Listener = { id: string; token: string };
type Scene = { host: RunningPerson; guest: Listener; call: Call };
type Way = {
  name: string;
  others_hear_on: boolean;
  /** The listener has no account. */
  by_link?: true;
  act(service: Service, scene: Scene): Promise<unknown>;
};

async function removeFromCall(service: Service, { host, guest, call }: Scene): Promise<void> {
  const { participants }: Call = await requestAs(service, host, `GET /calls/${call.join_code}`);
  const part = participants.find((one) => (one.user ?? one.guest)?.id === guest.id);
  await requestAs(service, host, `DELETE /calls/active/participants/${part?.id}`);
}

const ways: Way[] = [
  {
    name: 'the removal from the call',
    others_hear_on: true,
    act: removeFromCall,
  },
  {
    name: 'the removal of a guest without an account',
    others_hear_on: true,
    by_link: true,
    act: removeFromCall,
  },
  {
    name: 'a block',
    others_hear_on: true,
    act: (service, { host, guest }) => requestAs(service, host, 'POST /blocks', { user_id: guest.id }),
  },
  {
    name: 'signing out',
    others_hear_on: true,
    act: (service, { guest }) => requestAs(service, guest, 'POST /auth/logout', {}),
  },
  {
    name: 'the end of the call',
    others_hear_on: false,
    act: (service, { host }) => requestAs(service, host, 'DELETE /calls/active'),
  },
];

/** Declares the journey's tests. @param options choose the media server */
export function testBarredListeners(options: ServiceOptions): void {
  let service: Service;
  let host: RunningPerson;
  let other: RunningPerson;
  const guests: RunningPerson[] = [];
  beforeAll(async () => {
    service = await startService(options);
    host = await signUp(service, 'ada', '+14155550101');
    other = await signUp(service, 'cleo', '+14155550102');
    for (const at of ways.keys()) guests.push(await signUp(service, `guest${at}`, `+1415555011${at}`));
  });
  afterAll(() => service.close());

  const grantFor = (person: Listener, { join_code }: Call) =>
    requestAs(service, person, `POST /calls/${join_code}/sfu-grant`, {});

  /** Somebody without an account, who is let into a call of the host by its link. */
  async function comeByLink(call: Call): Promise<Listener> {
    await requestAs(service, host, 'PATCH /calls/active', { guests: 'open' });
    const { status, body } = await service.call(`POST /calls/${call.join_code}/guests`, { body: { name: 'Gina' } });
    expect(status).toBe(201);
    return { id: body.guest.id, token: body.token };
  }

  async function startCall(invited: RunningPerson, by_link = false) {
    const to = (by_link ? [other] : [invited, other]).map(({ id }) => ({ user_id: id }));
    const call: Call = await requestAs(service, host, 'POST /calls', { to });
    const room = new Room();
    const { url, token } = await grantFor(host, call);
    const guest = by_link ? await comeByLink(call) : invited;
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const tone = await publishTone(room, 440);
    const listen = async (person: Listener) => {
      const grant = await grantFor(person, call);
      return startPersistentListener(grant.url, grant.token);
    };
    const [barred, control] = [await listen(guest), await listen(other)];
    const hears = ({ packets_at_ms }: PersistentListener) => packets_at_ms.length > 50;
    await poll(async () => hears(barred) && hears(control), 'sound for both');
    // Two ways in at least: the grant of the service, and what the media server handed out in its place.
    await poll(async () => barred.tokens.size >= 2, 'a renewed token');
    return {
      call,
      guest,
      barred,
      control,
      async close() {
        await Promise.all([barred.stop(), control.stop()]);
        await tone.stop();
        await room.disconnect();
        await service.call('DELETE /calls/active', { token: host.token });
      },
    };
  }

  describe.each(ways.map((way, at) => ({ ...way, at })))('$name', ({ act, at, others_hear_on, by_link }) => {
    it('leaves not one packet of sound after a second', async () => {
      const { call, guest, barred, control, close } = await startCall(guests[at] as RunningPerson, by_link);
      const began_ms = performance.now();
      await act(service, { host, guest, call });
      await poll(async () => performance.now() - began_ms > watched_ms, 'the time that is watched');
      await close();
      const late = (times_ms: number[]) => times_ms.filter((at_ms) => at_ms - began_ms > silent_after_ms);
      const last_ms = Math.max(0, ...barred.packets_at_ms.map((at_ms) => Math.round(at_ms - began_ms)));
      expect({ late: late(barred.packets_at_ms).length, last_ms }).toEqual({ late: 0, last_ms });
      // It did try, and there was something to be heard.
      expect(late(barred.refused_at_ms).length).toBeGreaterThan(5);
      if (others_hear_on) expect(late(control.packets_at_ms).length).toBeGreaterThan(50);
    });
  });

  it('an unspent grant of a call that has ended opens nothing', async () => {
    const guest = guests[0] as RunningPerson;
    const call: Call = await requestAs(service, other, 'POST /calls', { to: [{ user_id: guest.id }] });
    const unspent = await grantFor(guest, call);
    await grantFor(other, call);
    await requestAs(service, other, 'DELETE /calls/active');
    const address = `${unspent.url.replace(/^ws/, 'http')}/rtc/validate?access_token=${unspent.token}`;
    expect((await fetch(address)).status).toBe(403);
    await expect(new Room().connect(unspent.url, unspent.token)).rejects.toThrow();
  });
}
