/**
 * Push notifications for rings: sent to a device while it rings, and once when the ring is over, if the device was
 * notified.
 */
import { sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { callerNameOf } from './state/call-people.ts';
import { mayOpenCall } from '../visibility/calls.ts';
import { callRinging } from './state/call-events.ts';
import { participantOf, presentCall, selectCall, type CallRow, type ParticipantRow } from './state/calls.ts';
import { terms } from './state/call-machine.ts';
import { deliverPush, pushTo, type Addressed } from '../notifications/push.ts';

/**
 * How long a push service stores the end of a ring: slightly longer than the ring itself, or a day when it was missed.
 */
const settled_ttl_s = terms.ring_s + 15;
const missed_ttl_s = 24 * 60 * 60;

type Rung = { call_id: string } & Addressed;

/** Notifies one device of a ring, while it lasts. */
export const pushRing = job<{ call_id: string } & Addressed>({
  name: 'push.ring',
  max_attempts: 4,
  lane: 'pushes',
  async run(rung, services) {
    const call = await selectCall(services.db, sql`c.id = ${rung.call_id}`);
    const participant = call && participantOf(call, rung.user_id);
    if (!call || call.state === 'ended' || participant?.state !== 'ringing' || !participant.rung_at) return;
    const left_ms = after(new Date(participant.rung_at), terms.ring_s).getTime() - services.clock.now().getTime();
    if (left_ms <= 0) return;
    // Marked before it is sent, so that code that ends the ring concurrently knows that this push must be revoked.
    await services.db.run(sql`update push_tokens set ringing_call_id = ${call.id} where hash = ${rung.hash}`);
    const caller_name = callerNameOf(call, rung.user_id);
    const is_own = participant.role === 'host';
    await deliverPush(services, rung, {
      subject: { type: 'call', id: call.id },
      title: caller_name,
      text: is_own ? 'Your scheduled call: answer to start it' : `${caller_name} is calling you`,
      values: { ring: is_own ? 'own' : 'call' },
      data: { type: 'call.ringing', join_code: call.join_code, media: call.media, url: joinLink(services, call) },
      urgent: true,
      ttl_s: Math.ceil(left_ms / 1000),
    });
    await pushRingOver(rung, services, 'overtaken');
  },
});

/** Notifies one device that its ring is over, if it was notified of the ring; replaces a queued ring. */
export const pushRingEnded = job<Rung>({
  name: 'push.settled',
  max_attempts: 4,
  lane: 'pushes',
  run: (rung, services) => pushRingOver(rung, services, 'marked'),
});

const outcomes: Partial<Record<ParticipantRow['state'], (host: string) => string>> = {
  declined: () => 'Declined on another device',
  no_answer: (host) => `You missed a call from ${host}`,
};

/**
 * Pushes the outcome of a ring. `marked` sends it once to a device that was rung; `overtaken` to one whose ring was in
 * flight while it ended, so that it may have arrived after the end.
 */
async function pushRingOver(rung: Rung, services: Services, why: 'marked' | 'overtaken'): Promise<void> {
  const { call_id, hash, user_id } = rung;
  const call = await selectCall(services.db, sql`c.id = ${call_id}`);
  const state = call && participantOf(call, user_id)?.state;
  if (!call || !state || state === 'ringing') return;
  const marked = await services.db.run(sql`
    update push_tokens set ringing_call_id = null where hash = ${hash} and ringing_call_id = ${call_id}`);
  if (why === 'marked' && marked === 0) return;
  // If the call is hidden from them meanwhile, for example by a block, only the end of the ring is sent.
  const is_open = await selectCall(services.db, sql`c.id = ${call_id} and ${mayOpenCall(user_id)}`);
  const sayOutcome = outcomes[state] ?? (() => 'Answered on another device');
  await deliverPush(services, rung, {
    subject: { type: 'call', id: call_id },
    title: is_open ? callerNameOf(call, user_id) : '',
    text: is_open ? sayOutcome(callerNameOf(call, user_id)) : '',
    data: { type: 'call.settled', join_code: call.join_code, state },
    urgent: true,
    quiet: true,
    ttl_s: state === 'no_answer' ? missed_ttl_s : settled_ttl_s,
  }).catch(async (error: unknown) => {
    // Restores the mark, so that a retry sends it again.
    await services.db.run(sql`update push_tokens set ringing_call_id = ${call_id} where hash = ${hash}`);
    throw error;
  });
}

/** Notifies a user's devices that the ring is over. */
export async function endRing(change: Change, user_id: string, call_id: string): Promise<void> {
  await pushTo(change, [user_id], { job: pushRingEnded, payload: { call_id }, subject: { type: 'call', id: call_id } });
}

/** The device on which a ring was answered needs no notification. */
export async function clearRingMark(change: Change, session_id: string): Promise<void> {
  await change.db.run(sql`update push_tokens set ringing_call_id = null where session_id = ${session_id}`);
}

/** Notifies callees of a call, except those whose ring is suppressed. */
export async function ring(change: Change, call: CallRow, called: ParticipantRow[]): Promise<void> {
  const audible = called.filter((one) => one.user_id && !one.suppressed && !one.not_alerted);
  const topics = audible.map((one) => `user:${one.user_id}` as const);
  if (topics.length > 0) change.emit(callRinging, topics, { call: presentCall(call, { ...change, id: '' }) });
  change.afterCommit(() => {
    for (const one of audible) {
      change.services.outbox_sink.add({
        id: one.id,
        channel: 'call',
        to: one.user?.username ?? one.name,
        text: `${callerNameOf(call, one.user_id)} is calling ${one.name}`,
        links: [joinLink(change.services, call)],
      });
    }
  });
  const users = audible.flatMap(({ user_id }) => user_id ?? []);
  await pushTo(change, users, { job: pushRing, payload: { call_id: call.id }, subject: { type: 'call', id: call.id } });
}

/** The address that opens a call in a browser. */
function joinLink(services: Services, call: Pick<CallRow, 'join_code'>): string {
  return `${services.public_url}/j/${call.join_code}`;
}
