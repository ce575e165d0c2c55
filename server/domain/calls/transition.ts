/**
 * A turn of a call: moves by the machine at one moment, and all that follows from them. It knows neither database nor
 * network: it is handed a call, changes it in place, and says what has changed.
 */
import { after } from '../../kernel/time.ts';
import {
  nextCallState,
  nextMove,
  terms,
  time_outs,
  type CallEvent,
  type CallState,
  type Effect,
  type EndReason,
  type ParticipantEvent,
  type ParticipantState,
} from './call-machine.ts';

/** A co-host does what the host does about the others, and is the first who follows them. */
export const role_values = ['host', 'co_host', 'guest'] as const;
export type Role = (typeof role_values)[number];

/** A participant as the machine sees it. */
export type Part = {
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
  /** How often the grants of this participant were withdrawn: none from before opens the room. */
  grant_generation: number;
};

/** A call as the machine sees it. */
export type CallLike<P extends Part> = {
  state: CallState;
  host_id: string;
  ended_at: Date | null;
  end_reason: EndReason | null;
  empty_since: Date | null;
  participants: P[];
};

/** Whether somebody is in a call or on the way in. */
export const isIn = (one: Pick<Part, 'state'>) => one.state === 'joining' || one.state === 'joined';
/** Whether somebody is in a call or may still come. */
export const isPresent = (one: Pick<Part, 'state'>) => one.state === 'ringing' || isIn(one);

export type MoveOptions = {
  /** They go of their own will or are removed: no grant that they hold opens the room any more. */
  grant?: 'kept' | 'returned';
  /** They come back only when they are called anew. */
  removed?: boolean;
};

/** Makes every grant useless that a participant has been given until now. */
export function withdrawGrants(one: Part): void {
  one.joining_at = null;
  one.grant_generation += 1;
}

/** One turn of a call: moves one after the other at one moment, and then all that follows from them. */
export type Turn<P extends Part, C extends CallLike<P>> = {
  readonly call: C;
  readonly moved: ReadonlySet<P>;
  readonly effects: readonly { kind: Effect; of: P }[];
  /** Whether anything is different from before, the call itself included. */
  hasChanged(): boolean;
  /** Says whether the event moved the participant. */
  move(one: P, event: ParticipantEvent, options?: MoveOptions): boolean;
  end(reason: EndReason): void;
  /** Hands the call to one of its people. */
  makeHost(one: P): void;
  /** Makes one of its people a co-host, or a guest again. */
  setRole(one: P, role: Exclude<Role, 'host'>): void;
  /** Says that something else about it is new, such as somebody who has just come. */
  touch(): void;
  /** Brings the call up to the moment. */
  settle(): void;
  /** When the next term runs out; undefined once the call has ended. */
  nextLook(): Date | undefined;
};

/** Opens a turn; the call is changed in place. */
export function openTransition<P extends Part, C extends CallLike<P>>(call: C, now: Date): Turn<P, C> {
  const moved = new Set<P>();
  const effects: { kind: Effect; of: P }[] = [];
  let changed = false;

  function move(one: P, event: ParticipantEvent, { grant = 'kept', removed = false }: MoveOptions = {}): boolean {
    const next = call.state === 'ended' ? undefined : nextMove(one.state, event);
    if (!next) return false;
    if (one.state === 'ringing') effects.push({ kind: 'silence', of: one });
    one.state = next.to;
    if (next.to === 'ringing') Object.assign(one, { rung_at: now, invited: true, removed_at: null });
    if (next.to === 'joining') one.joining_at = now;
    else if (grant === 'returned') withdrawGrants(one);
    if (next.to === 'joined') one.joined_at ??= now;
    one.left_at = isPresent(one) ? null : now;
    if (removed) one.removed_at = now;
    moved.add(one);
    changed = true;
    effects.push(...next.follows.map((kind) => ({ kind, of: one })));
    return true;
  }

  function shift(event: CallEvent): void {
    const next = nextCallState(call.state, event);
    if (!next) return;
    call.state = next;
    changed = true;
  }

  function end(reason: EndReason): void {
    if (call.state === 'ended') return;
    for (const one of call.participants) {
      move(one, 'ring_over');
      move(one, 'departed', { grant: 'returned' });
    }
    shift(reason);
    Object.assign(call, { ended_at: now, end_reason: reason, empty_since: null });
  }

  function settle(): void {
    if (call.state === 'ended') return;
    for (const { state, since, term_s, event } of time_outs) {
      for (const one of call.participants) {
        const began = one.state === state && one[since];
        if (began && after(began, term_s) <= now) move(one, event);
      }
    }
    if (passHost(call, moved)) changed = true;
    const event = answerOf(call);
    if (event) shift(event);
    const empty_since = isEmpty(call) ? (call.empty_since ?? now) : null;
    if (empty_since?.getTime() !== call.empty_since?.getTime()) changed = true;
    call.empty_since = empty_since;
    if (empty_since && after(empty_since, terms.empty_s) <= now) end('empty');
  }

  return {
    call,
    moved,
    effects,
    hasChanged: () => changed,
    move,
    end,
    makeHost: (one) => void (changed = appointHost(call, one, moved) || changed),
    setRole: (one, role) => void (changed = changeRole(one, role, moved) || changed),
    touch: () => void (changed = true),
    settle,
    nextLook: () => (call.state === 'ended' ? undefined : nextLook(call, now)),
  };
}

/** Whether somebody of the called has come in, or nobody is left who may. */
function answerOf({ participants }: CallLike<Part>): CallEvent | undefined {
  const guests = participants.filter((one) => one.role !== 'host');
  if (guests.some((one) => one.joined_at !== null || isIn(one))) return 'answered';
  return guests.some((one) => one.state === 'ringing') ? undefined : 'unanswered';
}

/** Phones that talk among themselves are nobody: there is no account left that could end their call, and one pays for them. */
const isEmpty = ({ participants }: CallLike<Part>) =>
  !participants.some((one) => one.state === 'ringing' || (one.state === 'joined' && one.user_id !== null));

/** Hands the call on when its host is not in it and others are: to the co-host, or else whoever, has been in it for longest. */
function passHost<P extends Part>(call: CallLike<P>, moved: Set<P>): boolean {
  const host = call.participants.find((one) => one.role === 'host');
  if (host && isIn(host)) return false;
  const [heir] = call.participants
    .filter((one) => one.state === 'joined' && one.user_id !== null && one !== host)
    .toSorted((a, b) => (a.joined_at?.getTime() ?? 0) - (b.joined_at?.getTime() ?? 0))
    .toSorted((a, b) => Number(b.role === 'co_host') - Number(a.role === 'co_host'));
  return heir !== undefined && appointHost(call, heir, moved);
}

/** Makes somebody host in the place of whoever is; says whether that is new. */
function appointHost<P extends Part>(call: CallLike<P>, heir: P, moved: Set<P>): boolean {
  const host = call.participants.find((one) => one.role === 'host');
  if (!heir.user_id || host === heir) return false;
  if (host) moved.add(Object.assign(host, { role: 'guest' }));
  moved.add(Object.assign(heir, { role: 'host', invited: true }));
  call.host_id = heir.user_id;
  return true;
}

/** Makes somebody who is not the host a co-host or a guest; says whether that is new. */
function changeRole<P extends Part>(one: P, role: Exclude<Role, 'host'>, moved: Set<P>): boolean {
  if (one.role === role || one.role === 'host') return false;
  moved.add(Object.assign(one, { role }));
  return true;
}

function nextLook<P extends Part>(call: CallLike<P>, now: Date): Date {
  const looks = call.participants.flatMap((one) => {
    // Whoever is in, or on the way in, is asked after, so that a lost webhook costs seconds.
    if (one.state === 'joined' || (one.state === 'joining' && one.joining_at)) return [after(now, terms.reconcile_s)];
    const term = time_outs.find(({ state }) => state === one.state);
    const began = term && one[term.since];
    return began ? [after(began, term.term_s)] : [];
  });
  if (call.empty_since) looks.push(after(call.empty_since, terms.empty_s));
  if (looks.length === 0) return after(now, terms.empty_s);
  return new Date(Math.min(...looks.map((look) => look.getTime())));
}
