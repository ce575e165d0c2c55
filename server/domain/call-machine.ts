/**
 * The machine of a call: what each participant and the call itself can be, what moves them and what follows, as two
 * tables. It knows neither database nor network: it is handed a call and the moment, and answers what has changed.
 */
import { after } from '../kernel/time.ts';

export const participant_states = [
  'ringing',
  'joining',
  'joined',
  'left',
  'declined',
  'no_answer',
  'busy',
  'failed',
] as const;
export const call_states = ['ringing', 'live', 'ended'] as const;
export const end_reasons = ['hung_up', 'empty', 'host_gone'] as const;

export type ParticipantState = (typeof participant_states)[number];
export type CallState = (typeof call_states)[number];
export type EndReason = (typeof end_reasons)[number];

/** How long each state may last, and how often those who are in are asked after, in seconds. */
export const terms = { ring_s: 45, joining_s: 30, empty_s: 60, reconcile_s: 5 } as const;

/** What follows from a participant's move, beside that everybody in the call is told. */
export type Effect = 'missed' | 'remove' | 'hang_up';

type ParticipantMove = {
  from: readonly ParticipantState[];
  event: string;
  to: ParticipantState;
  follows: readonly Effect[];
  when: string;
};

const away = ['left', 'declined', 'no_answer', 'busy', 'failed'] as const;

/** Every move of a participant. What does not stand here changes nothing. */
export const participant_moves = [
  { from: ['ringing', 'joining', ...away], event: 'answered', to: 'joining', follows: [], when: 'they ask for a media grant, or their phone is picked up' },
  { from: ['joining', 'left'], event: 'connected', to: 'joined', follows: [], when: 'the media server has them' },
  { from: ['joined'], event: 'disconnected', to: 'left', follows: [], when: 'the media server has them no more' },
  { from: ['joined'], event: 'room_lost', to: 'joining', follows: [], when: 'the media server has lost the whole room' },
  { from: ['ringing'], event: 'declined', to: 'declined', follows: ['hang_up'], when: 'they decline on any device' },
  { from: ['ringing'], event: 'ring_over', to: 'no_answer', follows: ['missed', 'hang_up'], when: `nobody answers for ${terms.ring_s} s, or the ring is taken back` },
  { from: ['ringing'], event: 'engaged', to: 'busy', follows: ['missed', 'hang_up'], when: 'they are in another call, or their line is' },
  { from: ['ringing'], event: 'unreachable', to: 'failed', follows: ['hang_up'], when: 'their phone cannot be reached' },
  { from: ['joining'], event: 'joining_over', to: 'left', follows: ['hang_up'], when: `their media do not connect within ${terms.joining_s} s` },
  { from: ['joining', 'joined'], event: 'departed', to: 'left', follows: ['remove', 'hang_up'], when: 'they leave, are sent away, or the call ends' },
  { from: ['ringing'], event: 'parted', to: 'no_answer', follows: ['hang_up'], when: 'a block comes between them and the host' },
  { from: ['joining', 'joined'], event: 'parted', to: 'left', follows: ['remove', 'hang_up'], when: 'a block comes between them and the host' },
  { from: [...away], event: 'rung', to: 'ringing', follows: [], when: 'somebody in the call calls them anew' },
] as const satisfies readonly ParticipantMove[];

export type ParticipantEvent = (typeof participant_moves)[number]['event'];

/** Every move of a call. */
export const call_moves = [
  { from: ['ringing'], event: 'answered', to: 'live', when: 'one of the called comes in' },
  { from: ['ringing'], event: 'unanswered', to: 'live', when: 'nobody is left to ring' },
  { from: ['ringing', 'live'], event: 'hung_up', to: 'ended', when: 'the host ends it' },
  { from: ['ringing', 'live'], event: 'empty', to: 'ended', when: `nobody has been in it or rung for ${terms.empty_s} s` },
  { from: ['ringing', 'live'], event: 'host_gone', to: 'ended', when: "the host's account goes" },
] as const;

export type CallEvent = (typeof call_moves)[number]['event'];

/** The states that end by themselves: since when they count, for how long, and by which event. */
const time_outs = [
  { state: 'ringing', since: 'rung_at', term_s: terms.ring_s, event: 'ring_over' },
  { state: 'joining', since: 'joining_at', term_s: terms.joining_s, event: 'joining_over' },
] as const;

/** A participant as the machine sees it. */
export type Part = {
  id: string;
  user_id: string | null;
  state: ParticipantState;
  role: 'host' | 'guest';
  invited: boolean;
  rung_at: Date | null;
  joining_at: Date | null;
  joined_at: Date | null;
  left_at: Date | null;
  removed_at: Date | null;
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

/** What a participant's event leads to; undefined when it moves nothing. */
export function nextMove(state: ParticipantState, event: ParticipantEvent): ParticipantMove | undefined {
  return participant_moves.find((move) => move.event === event && (move.from as readonly string[]).includes(state));
}

/** What a call's event leads to; undefined when it moves nothing. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return call_moves.find((move) => move.event === event && (move.from as readonly string[]).includes(state))?.to;
}

/** Whether somebody is in a call or on the way in. */
export const isIn = (one: Pick<Part, 'state'>) => one.state === 'joining' || one.state === 'joined';
/** Whether somebody is in a call or may still come. */
export const isPresent = (one: Pick<Part, 'state'>) => one.state === 'ringing' || isIn(one);

export type MoveOptions = {
  /** They go of their own will or are sent: the grant that they hold brings them back no more. */
  grant?: 'kept' | 'returned';
  /** They come back only when they are called anew. */
  removed?: boolean;
};

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
  /** Brings the call up to the moment. */
  settle(): void;
  /** When the next term runs out; undefined once the call has ended. */
  nextLook(): Date | undefined;
};

/** Opens a turn; the call is changed in place. */
export function openTurn<P extends Part, C extends CallLike<P>>(call: C, now: Date): Turn<P, C> {
  const moved = new Set<P>();
  const effects: { kind: Effect; of: P }[] = [];
  let changed = false;

  function move(one: P, event: ParticipantEvent, { grant = 'kept', removed = false }: MoveOptions = {}): boolean {
    const next = call.state === 'ended' ? undefined : nextMove(one.state, event);
    if (!next) return false;
    one.state = next.to;
    if (next.to === 'ringing') Object.assign(one, { rung_at: now, invited: true, removed_at: null });
    if (next.to === 'joining') one.joining_at = now;
    else if (grant === 'returned') one.joining_at = null;
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
    const guests = call.participants.filter((one) => one.role === 'guest');
    if (guests.some((one) => one.joined_at !== null || isIn(one))) shift('answered');
    else if (!guests.some((one) => one.state === 'ringing')) shift('unanswered');
    const is_empty = !call.participants.some((one) => one.state === 'ringing' || one.state === 'joined');
    const empty_since = is_empty ? (call.empty_since ?? now) : null;
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
    settle,
    nextLook: () => (call.state === 'ended' ? undefined : nextLook(call, now)),
  };
}

/** Hands the call on when its host is not in it and others are: to whoever has been in it for longest. */
function passHost<P extends Part>(call: CallLike<P>, moved: Set<P>): boolean {
  const host = call.participants.find((one) => one.role === 'host');
  if (host && isIn(host)) return false;
  const [heir] = call.participants
    .filter((one) => one.state === 'joined' && one.user_id !== null && one !== host)
    .toSorted((a, b) => (a.joined_at?.getTime() ?? 0) - (b.joined_at?.getTime() ?? 0));
  if (!heir?.user_id) return false;
  if (host) moved.add(Object.assign(host, { role: 'guest' }));
  moved.add(Object.assign(heir, { role: 'host', invited: true }));
  call.host_id = heir.user_id;
  return true;
}

function nextLook<P extends Part>(call: CallLike<P>, now: Date): Date {
  const looks = call.participants.flatMap((one) => {
    // Whoever is in, or on the way in, is asked after, so that a lost webhook costs seconds.
    if (isIn(one) && one.joining_at) return [after(now, terms.reconcile_s)];
    const term = time_outs.find(({ state }) => state === one.state);
    const began = term && one[term.since];
    return began ? [after(began, term.term_s)] : [];
  });
  if (call.empty_since) looks.push(after(call.empty_since, terms.empty_s));
  if (looks.length === 0) return after(now, terms.empty_s);
  return new Date(Math.min(...looks.map((look) => look.getTime())));
}
