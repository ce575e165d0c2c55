/** People who fill a call: accounts of a running service, connected to its media by LiveKit's native SDK. */
import { Room } from '@livekit/rtc-node';
import { publishTone, settle } from '../../sfu/testing/tones.ts';
import { requestAs, signUp, type RunningPerson } from './running-people.ts';
import type { Service } from './running-service.ts';

const names = [
  'cleo',
  'dara',
  'emil',
  'fay',
  'gus',
  'hana',
  'ivo',
  'june',
  'kai',
  'lena',
  'milo',
  'nora',
  'otto',
  'pia',
  'quin',
  'rosa',
];

export type JoinedParticipant = { room: Room; leave(): Promise<void> };

/** Brings somebody into a call, where they play a tone and hear everybody. */
export async function joinWithTone(
  service: Service,
  person: RunningPerson,
  join_code: string,
  hertz: number,
): Promise<JoinedParticipant> {
  const grant = await requestAs(service, person, `POST /calls/${join_code}/sfu-grant`, {});
  const room = new Room();
  await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
  const tone = await publishTone(room, hertz);
  return {
    room,
    async leave() {
      await tone.stop();
      await settle(room.disconnect());
    },
  };
}

export type Crowd = { people: RunningPerson[]; leave(): Promise<void> };

/**
 * Signs up so many people, from one of the names on, and brings them into a call that its link lets them into; the one
 * with the first name plays a tone.
 */
export async function joinCrowd(service: Service, join_code: string, count: number, from = 0): Promise<Crowd> {
  const people: RunningPerson[] = [];
  const endings: (() => Promise<void>)[] = [];
  for (const username of names.slice(from, from + count)) {
    const at = names.indexOf(username);
    const person = await signUp(service, username, `+141555503${String(at).padStart(2, '0')}`);
    const grant = await requestAs(service, person, `POST /calls/${join_code}/sfu-grant`, {});
    const room = new Room();
    await room.connect(grant.url, grant.token, { autoSubscribe: false, dynacast: false });
    endings.push(() => settle(room.disconnect()));
    if (at === 0) {
      const tone = await publishTone(room, 440);
      endings.unshift(() => tone.stop());
    }
    people.push(person);
  }
  return {
    people,
    async leave() {
      for (const end of endings.splice(0)) await end();
    },
  };
}

type Leg = { leg_id: string; number: string; state: string };

/** The telephone leg to a number that was made last, by the console. */
export async function newestLegTo(service: Service, number: string): Promise<Leg | undefined> {
  const response = await fetch(`${service.url}/console/phone/legs`);
  const { items } = (await response.json()) as { items: Leg[] };
  return items.find((leg) => leg.number === number);
}

/** Does what somebody with that telephone would do. */
export async function simulateLeg(service: Service, leg_id: string, state: string): Promise<number> {
  const response = await fetch(`${service.url}/console/phone/legs/${leg_id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state }),
  });
  return response.status;
}
