/**
 * People who were removed from a call, or may not enter its room or event any more, receive no audio one second later, however often and with whatever token they
 * try.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishTone } from '../../../../sfu/testing/tones.ts';
import { startPersistentListener, type PersistentListener } from '../../attacks/persistent-listener.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import {
  poll,
  program_environment,
  startService,
  type Service,
  type ServiceOptions,
} from '../../running/running-service.ts';

/**
 * The time after which nothing may be received, how long this is measured at least, and how many attempts to return must
 * have been refused in this time: on a busy machine each takes longer.
 */
const max_delay_ms = 1_000;
const measured_ms = 2_500;
const refusals = 6;

type Named = { id: string } | null;
type Call = { join_code: string; participants: { id: string; user: Named; guest: Named }[] };
/** A listener: a person with an account, or a guest by the call's link. */
type Listener = { id: string; token: string; username?: string };
/** A lasting room or an event with a call: its path, and what others join by. */
type Place = { path: string; join_code: string };
type Scene = { host: RunningPerson; other: RunningPerson; guest: Listener; call: Call; place: Place | undefined };
type Removal = {
  name: string;
  others_continue: boolean;
  /** The call is in a place of the host to which the listeners have access; otherwise they are called. */
  prepare?(service: Service, host: RunningPerson, listeners: RunningPerson[]): Promise<Place>;
  /** The listener has no account. */
  by_link?: true;
  /** A tool beside the service, which takes effect when it ends. */
  by_tool?: true;
  act(service: Service, scene: Scene): Promise<unknown>;
};

async function removeFromCall(service: Service, { host, guest, call }: Scene): Promise<void> {
  const { participants }: Call = await requestAs(service, host, `GET /calls/${call.join_code}`);
  const participant = participants.find((item) => (item.user ?? item.guest)?.id === guest.id);
  await requestAs(service, host, `DELETE /calls/active/participants/${participant?.id}`);
}

const tool = join(import.meta.dirname, '..', '..', '..', '..', 'tools', 'moderate.ts');

/** Runs the operator's tool beside the service. */
async function moderate({ data_dir }: Service, act: string, { username = '' }: Listener): Promise<void> {
  const env = { ...program_environment, DATA_DIR: data_dir, LOG_LEVEL: 'info' };
  const args = [tool, act, username, '--operator', 'olga', '--reason', 'it was reported'];
  await promisify(execFile)(process.execPath, args, { env });
}

/** A tag whose room is for its followers, who are the listeners. */
async function prepareTag(service: Service, host: RunningPerson, listeners: RunningPerson[]): Promise<Place> {
  const tag = await requestAs(service, host, 'POST /xtags', { name: 'salon', title: 'Salon' });
  for (const who of listeners) await requestAs(service, who, `PUT /xtags/${tag.id}/follow`, {});
  const room = await requestAs(service, host, `PUT /xtags/${tag.id}/room`, { privacy: 'followers' });
  return { path: `/xtags/${tag.id}`, join_code: room.join_code };
}

/** A group with a room, which the listeners have joined. */
async function prepareGroup(service: Service, host: RunningPerson, listeners: RunningPerson[]): Promise<Place> {
  const { id } = await requestAs(service, host, 'POST /groups', { name: 'Choir' });
  const { url } = await requestAs(service, host, `PUT /groups/${id}/link`);
  for (const who of listeners) await requestAs(service, who, `POST /group-links/${url.split('/g/')[1]}/join`, {});
  const room = await requestAs(service, host, `PUT /groups/${id}/room`, {});
  return { path: `/groups/${id}`, join_code: room.join_code };
}

/** An event with a call, to which the listeners are invited. */
async function prepareEvent(service: Service, host: RunningPerson, listeners: RunningPerson[]): Promise<Place> {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const times = { starts_at: at(1), ends_at: at(60) };
  const event = await requestAs(service, host, 'POST /calendar/events', {
    title: 'Concert',
    ...times,
    call: { enabled: true },
  });
  const people = listeners.map(({ id }) => id);
  await requestAs(service, host, `PUT /calendar/events/${event.id}/share`, { people });
  return { path: `/calendar/events/${event.id}`, join_code: event.call.join_code };
}

const removals: Removal[] = [
  {
    name: 'the removal from the call',
    others_continue: true,
    act: removeFromCall,
  },
  {
    name: 'the removal of a guest without an account',
    others_continue: true,
    by_link: true,
    act: removeFromCall,
  },
  {
    name: 'a block',
    others_continue: true,
    act: (service, { host, guest }) => requestAs(service, host, 'POST /blocks', { user_id: guest.id }),
  },
  {
    name: 'signing out',
    others_continue: true,
    act: (service, { guest }) => requestAs(service, guest, 'POST /auth/logout', {}),
  },
  {
    name: 'the suspension of the account',
    others_continue: true,
    by_tool: true,
    act: (service, { guest }) => moderate(service, 'suspend', guest),
  },
  {
    name: 'unfollowing the tag of a room for followers',
    others_continue: true,
    prepare: prepareTag,
    act: (service, { guest, place }) => requestAs(service, guest, `DELETE ${place?.path}/follow`),
  },
  {
    name: 'the removal from the group of a room',
    others_continue: true,
    prepare: prepareGroup,
    act: (service, { host, guest, place }) => requestAs(service, host, `DELETE ${place?.path}/people/${guest.id}`),
  },
  {
    name: 'the end of an invitation to an event',
    others_continue: true,
    prepare: prepareEvent,
    act: (service, { host, other, place }) =>
      requestAs(service, host, `PUT ${place?.path}/share`, { people: [other.id] }),
  },
  {
    name: 'the end of the call',
    others_continue: false,
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
    for (const at of removals.keys()) guests.push(await signUp(service, `guest${at}`, `+1415555011${at}`));
  });
  afterAll(() => service.close());

  const grantFor = (person: Listener, { join_code }: Call) =>
    requestAs(service, person, `POST /calls/${join_code}/sfu-grant`, {});

  /** A guest without an account, whom a call of the host admits by its link. */
  async function joinByLink(call: Call): Promise<Listener> {
    await requestAs(service, host, 'PATCH /calls/active', { guests: 'open' });
    const { status, body } = await service.call(`POST /calls/${call.join_code}/guests`, { body: { name: 'Gina' } });
    expect(status).toBe(201);
    return { id: body.guest.id, token: body.token };
  }

  async function startCall(invited: RunningPerson, { by_link, prepare }: Partial<Removal>) {
    const place = await prepare?.(service, host, [invited, other]);
    const to = (by_link ? [other] : [invited, other]).map(({ id }) => ({ user_id: id }));
    const call: Call = place
      ? { join_code: place.join_code, participants: [] }
      : await requestAs(service, host, 'POST /calls', { to });
    const room = new Room();
    const { url, token } = await grantFor(host, call);
    const guest = by_link ? await joinByLink(call) : invited;
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const tone = await publishTone(room, 440);
    const listen = async (person: Listener) => {
      const grant = await grantFor(person, call);
      return startPersistentListener(grant.url, grant.token);
    };
    const [barred, control] = [await listen(guest), await listen(other)];
    const receivesAudio = ({ packets_at_ms }: PersistentListener) => packets_at_ms.length > 50;
    await poll(async () => receivesAudio(barred) && receivesAudio(control), 'audio for both');
    // At least two tokens: the grant of the service, and the one with which the media server replaced it.
    await poll(async () => barred.tokens.size >= 2, 'a renewed token');
    return {
      call,
      place,
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

  describe.each(removals.map((removal, at) => ({ ...removal, at })))(
    '$name',
    ({ act, at, others_continue, by_link, by_tool, prepare }) => {
      it('stops all audio packets to the removed person within a second', async () => {
        const { call, place, guest, barred, control, close } = await startCall(guests[at] as RunningPerson, {
          by_link,
          prepare,
        });
        const asked_ms = performance.now();
        await act(service, { host, other, guest, call, place });
        const started_ms = by_tool ? performance.now() : asked_ms;
        const late = (times_ms: number[]) => times_ms.filter((at_ms) => at_ms - started_ms > max_delay_ms);
        // It does try to return.
        const is_measured = () =>
          performance.now() - started_ms > measured_ms && late(barred.refused_at_ms).length >= refusals;
        await poll(async () => is_measured(), 'the end of the measurement');
        await close();
        const last_ms = Math.max(0, ...barred.packets_at_ms.map((at_ms) => Math.round(at_ms - started_ms)));
        expect({ late: late(barred.packets_at_ms).length, last_ms }).toEqual({ late: 0, last_ms });
        // There was audio to receive.
        if (others_continue) expect(late(control.packets_at_ms).length).toBeGreaterThan(50);
      });
    },
  );

  it('an unused grant of an ended call is rejected with 403', async () => {
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
