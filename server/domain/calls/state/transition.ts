/**
 * Transitions of a call: events applied at one moment, and everything that follows from them. A pure function of the
 * call, without database or network: it changes the call in place, and reports what has changed.
 */
import { after } from '../../../kernel/time.ts';
import {
  nextCallState,
  nextTransition,
  terms,
  time_outs,
  type CallEvent,
  type CallState,
  type Effect,
  type EndReason,
  type ParticipantEvent,
  type ParticipantState,
} from './call-machine.ts';

/** A co-host has the host's rights over others, and is first in line to become host. */
export const role_values = ['host', 'co_host', 'guest'] as const;
/** The role of a participant. */
export type Role = (typeof role_values)[number];

/** A participant as the call machine sees it. */
export type ParticipantLike = {
  id: string;
  user_id: string | null;
  state: ParticipantState;
  role: Role;
  invited: boolean;
  rung_at: Date | null;
  joining_at: Date | null;
  joined_at: Date | null;
  left_at: Date | null;
  removed_at: Date | null;
  /** The number of times that this participant's grants were revoked: earlier grants do not admit to the room. */
  grant_generation: number;
};

/** A call as the call machine sees it. */
export type CallLike<P extends ParticipantLike> = {
  state: CallState;
  host_id: string;
  ended_at: Date | null;
  end_reason: EndReason | null;
  empty_since: Date | null;
  participants: P[];
};

/** Whether a participant is in a call or joining. */
export const isIn = (one: Pick<ParticipantLike, 'state'>) => one.state === 'joining' || one.state === 'joined';
/** Whether a participant is in a call or may still join. */
export const isPresent = (one: Pick<ParticipantLike, 'state'>) => one.state === 'ringing' || isIn(one);

/** What else a transition means for the participant. */
export type TransitionOptions = {
  /** `returned` when they leave voluntarily or are removed: their grants no longer admit to the room. */
  grant?: 'kept' | 'returned';
  /** They may return only when called again. */
  removed?: boolean;
};

/** Revokes every grant issued to a participant so far. */
export function revokeGrants(one: ParticipantLike): void {
  one.joining_at = null;
  one.grant_generation += 1;
}

/** One update of a call: transitions at one moment, and then everything that follows from them. */
export type Transitions<P extends ParticipantLike, C extends CallLike<P>> = {
  readonly call: C;
  /** The participants that have changed. */
  readonly changed: ReadonlySet<P>;
  readonly effects: readonly { kind: Effect; of: P }[];
  /** Whether anything has changed, the call itself included. */
  hasChanged(): boolean;
  /** Applies an event to a participant. @returns whether it changed their state */
  apply(one: P, event: ParticipantEvent, options?: TransitionOptions): boolean;
  end(reason: EndReason): void;
  /** Transfers the call to one of its participants. */
  makeHost(one: P): void;
  /** Makes a participant a co-host, or a guest again. */
  setRole(one: P, role: Exclude<Role, 'host'>): void;
  /** Makes a participant one who was not called: once out of the call, they need the right to enter it. */
  clearInvited(one: P): void;
  /** Fewer people may join than before, though nobody need leave: the PIN of the call changes. */
  renews_pin: boolean;
  /** Marks another change of a participant, such as a new one. */
  touch(): void;
  /** Applies all time-outs that are due. */
  settle(): void;
  /** When the next time-out is due; undefined once the call has ended. */
  nextCheckAt(): Date | undefined;
};

/** Opens an update; the call is changed in place. */
export function openUpdate<P extends ParticipantLike, C extends CallLike<P>>(call: C, now: Date): Transitions<P, C> {
  const changed = new Set<P>();
  const effects: { kind: Effect; of: P }[] = [];
  let has_changed = false;
  const note = (is_change: boolean): void => {
    has_changed ||= is_change;
  };

  function apply(one: P, event: ParticipantEvent, { grant, removed }: TransitionOptions = {}): boolean {
    const next = call.state === 'ended' ? undefined : nextTransition(one.state, event);
    if (!next) return false;
    if (one.state === 'ringing') effects.push({ kind: 'silence', of: one });
    one.state = next.to;
    if (next.to === 'ringing') Object.assign(one, { rung_at: now, invited: true, removed_at: null });
    if (next.to === 'joining') one.joining_at = now;
    else if (grant === 'returned') revokeGrants(one);
    if (next.to === 'joined') one.joined_at ??= now;
    one.left_at = isPresent(one) ? null : now;
    if (removed) one.removed_at = now;
    changed.add(one);
    note(true);
    effects.push(...next.follows.map((kind) => ({ kind, of: one })));
    return true;
  }

  function changeState(event: CallEvent | undefined): void {
    const next = event && nextCallState(call.state, event);
    if (!next) return;
    call.state = next;
    note(true);
  }

  function end(reason: EndReason): void {
    if (call.state === 'ended') return;
    for (const one of call.participants) {
      apply(one, 'ring_over');
      apply(one, 'departed', { grant: 'returned' });
    }
    changeState(reason);
    Object.assign(call, { ended_at: now, end_reason: reason, empty_since: null });
  }

  function settle(): void {
    if (call.state === 'ended') return;
    for (const time_out of time_outs)
      for (const one of call.participants) if (isDue(time_out, one, now)) apply(one, time_out.event);
    note(transferHost(call, changed));
    changeState(answerOf(call));
    const empty_since = isEmpty(call) ? (call.empty_since ?? now) : null;
    note(empty_since?.getTime() !== call.empty_since?.getTime());
    call.empty_since = empty_since;
    if (empty_since && after(empty_since, terms.empty_s) <= now) end('empty');
  }

  return {
    call,
    changed,
    effects,
    hasChanged: () => has_changed,
    apply,
    end,
    makeHost: (one) => note(appointHost(call, one, changed)),
    setRole: (one, role) => note(changeRole(one, role, changed)),
    clearInvited: (one) => note(uninvite(one, changed)),
    renews_pin: false,
    touch: () => note(true),
    settle,
    nextCheckAt: () => (call.state === 'ended' ? undefined : nextCheckAt(call, now)),
  };
}

function isDue({ state, since, term_s }: (typeof time_outs)[number], one: ParticipantLike, now: Date): boolean {
  const began = one[since];
  return one.state === state && began !== null && after(began, term_s) <= now;
}

/** The call's event once a callee has joined, or no callee is left who might join. */
function answerOf({ participants }: CallLike<ParticipantLike>): CallEvent | undefined {
  const guests = participants.filter((one) => one.role !== 'host');
  if (guests.some((one) => one.joined_at !== null || isIn(one))) return 'answered';
  return guests.some((one) => one.state === 'ringing') ? undefined : 'unanswered';
}

/** A call with phones only counts as empty: no account is left that could end it, and the phones cost money. */
const isEmpty = ({ participants }: CallLike<ParticipantLike>) =>
  !participants.some((one) => one.state === 'ringing' || (one.state === 'joined' && one.user_id !== null));

/**
 * Transfers the call when its host is not in it and others are: to the co-host who has been in it longest, or else the
 * participant who has.
 */
function transferHost<P extends ParticipantLike>(call: CallLike<P>, changed: Set<P>): boolean {
  const host = call.participants.find((one) => one.role === 'host');
  if (host && isIn(host)) return false;
  const candidates = call.participants.filter((one) => one.state === 'joined' && one.user_id !== null && one !== host);
  const co_hosts = candidates.filter((one) => one.role === 'co_host');
  const next_host = longestIn(co_hosts) ?? longestIn(candidates);
  return next_host !== undefined && appointHost(call, next_host, changed);
}

/** The participant who joined first; the first in the list of those who joined at once. */
const longestIn = <P extends ParticipantLike>(participants: P[]): P | undefined =>
  participants.toSorted((a, b) => (a.joined_at?.getTime() ?? 0) - (b.joined_at?.getTime() ?? 0))[0];

/** Makes a participant the host. @returns whether that is a change */
function appointHost<P extends ParticipantLike>(call: CallLike<P>, next_host: P, changed: Set<P>): boolean {
  const host = call.participants.find((one) => one.role === 'host');
  if (!next_host.user_id || host === next_host) return false;
  if (host) changed.add(Object.assign(host, { role: 'guest' }));
  changed.add(Object.assign(next_host, { role: 'host', invited: true }));
  call.host_id = next_host.user_id;
  return true;
}

/** Makes a participant other than the host a co-host or a guest. @returns whether that is a change */
function changeRole<P extends ParticipantLike>(one: P, role: Exclude<Role, 'host'>, changed: Set<P>): boolean {
  if (one.role === role || one.role === 'host') return false;
  changed.add(Object.assign(one, { role }));
  return true;
}

/** Makes a participant one who was not called. @returns whether that is a change */
function uninvite<P extends ParticipantLike>(one: P, changed: Set<P>): boolean {
  if (!one.invited) return false;
  changed.add(Object.assign(one, { invited: false }));
  return true;
}

function nextCheckAt<P extends ParticipantLike>(call: CallLike<P>, now: Date): Date {
  const checks = call.participants.flatMap((one) => {
    // Reconciled with the media server, so that a lost webhook costs only seconds. Also those who were disconnected, since
    // a single answer of the media server may have been wrong.
    const is_expected = one.state === 'joined' || ((one.state === 'joining' || one.state === 'left') && one.joining_at);
    if (is_expected) return [after(now, terms.reconcile_s)];
    const term = time_outs.find(({ state }) => state === one.state);
    const began = term && one[term.since];
    return began ? [after(began, term.term_s)] : [];
  });
  if (call.empty_since) checks.push(after(call.empty_since, terms.empty_s));
  if (checks.length === 0) return after(now, terms.empty_s);
  return new Date(Math.min(...checks.map((check) => check.getTime())));
}
