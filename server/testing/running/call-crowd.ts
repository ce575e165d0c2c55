/** People who fill a call: accounts of a running service, connected to its media by LiveKit's native SDK. */
import { Room } from '@livekit/rtc-node';
import { publishTone, settle } from '../../../sfu/testing/tones.ts';
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

/** Joins a call as a person who plays a tone and receives all audio. */
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
 * Signs up `count` people, with the names from `from` on, and joins them to a call that admits by its link; the one
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

/** The newest phone leg to a number, from the console. */
export async function newestLegTo(service: Service, number: string): Promise<Leg | undefined> {
  const response = await fetch(`${service.url}/console/phone/legs`);
  const { items } = (await response.json()) as { items: Leg[] };
  return items.find((leg) => leg.number === number);
}

/** Simulates an action of the phone of a leg. */
export async function simulateLeg(service: Service, leg_id: string, state: string): Promise<number> {
  const response = await fetch(`${service.url}/console/phone/legs/${leg_id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ state }),
  });
  return response.status;
}
