/**
 * The machine of a call: what each participant and the call itself can be, what moves them and what follows, as two
 * tables, which the code, the area's README and the tests read. `transition.ts` runs it.
 */

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
export const terms = { ring_s: 45, joining_s: 30, empty_s: 60, reconcile_s: 3 } as const;

/**
 * What follows from a participant's move, beside that everybody in the call is told: a missed call in their inbox, being
 * taken out of the room, the end of their phone's leg, and, whenever a ring ends, silence on all their devices.
 */
export type Effect = 'missed' | 'remove' | 'hang_up' | 'silence';

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
  {
    from: ['ringing', 'joining', ...away],
    event: 'answered',
    to: 'joining',
    follows: [],
    when: 'they ask for a media grant, or their phone is picked up',
  },
  { from: ['joining', 'left'], event: 'connected', to: 'joined', follows: [], when: 'the media server has them' },
  { from: ['joined'], event: 'disconnected', to: 'left', follows: [], when: 'the media server has them no more' },
  {
    from: ['joined'],
    event: 'room_lost',
    to: 'joining',
    follows: [],
    when: 'the media server has lost the whole room',
  },
  { from: ['ringing'], event: 'declined', to: 'declined', follows: ['hang_up'], when: 'they decline on any device' },
  {
    from: ['ringing'],
    event: 'ring_over',
    to: 'no_answer',
    follows: ['missed', 'hang_up'],
    when: `nobody answers for ${terms.ring_s} s, or the ring is taken back`,
  },
  {
    from: ['ringing'],
    event: 'engaged',
    to: 'busy',
    follows: ['missed', 'hang_up'],
    when: 'they are in another call, or their line is',
  },
  {
    from: ['ringing'],
    event: 'unreachable',
    to: 'failed',
    follows: ['hang_up'],
    when: 'their phone cannot be reached',
  },
  {
    from: ['joining'],
    event: 'joining_over',
    to: 'left',
    follows: ['hang_up'],
    when: `their media do not connect within ${terms.joining_s} s`,
  },
  {
    from: ['joining', 'joined'],
    event: 'departed',
    to: 'left',
    follows: ['remove', 'hang_up'],
    when: 'they leave, are sent away, or the call ends',
  },
  {
    from: ['ringing'],
    event: 'blocked',
    to: 'no_answer',
    follows: ['hang_up'],
    when: 'a block comes between them and the host',
  },
  {
    from: ['joining', 'joined'],
    event: 'blocked',
    to: 'left',
    follows: ['remove', 'hang_up'],
    when: 'a block comes between them and the host',
  },
  { from: [...away], event: 'rung', to: 'ringing', follows: [], when: 'somebody in the call calls them anew' },
] as const satisfies readonly ParticipantMove[];

export type ParticipantEvent = (typeof participant_moves)[number]['event'];

/** Every move of a call. */
export const call_moves = [
  { from: ['ringing'], event: 'answered', to: 'live', when: 'one of the called comes in' },
  { from: ['ringing'], event: 'unanswered', to: 'live', when: 'nobody is left to ring' },
  { from: ['ringing', 'live'], event: 'hung_up', to: 'ended', when: 'the host ends it' },
  {
    from: ['ringing', 'live'],
    event: 'empty',
    to: 'ended',
    when: `nobody with an account has been in it, and nobody rung, for ${terms.empty_s} s`,
  },
  { from: ['ringing', 'live'], event: 'host_gone', to: 'ended', when: "the host's account goes" },
] as const;

export type CallEvent = (typeof call_moves)[number]['event'];

/** The states that end by themselves: since when they count, for how long, and by which event. */
export const time_outs = [
  { state: 'ringing', since: 'rung_at', term_s: terms.ring_s, event: 'ring_over' },
  { state: 'joining', since: 'joining_at', term_s: terms.joining_s, event: 'joining_over' },
] as const;

/** What a participant's event leads to; undefined when it moves nothing. */
export function nextMove(state: ParticipantState, event: ParticipantEvent): ParticipantMove | undefined {
  return participant_moves.find((move) => move.event === event && (move.from as readonly string[]).includes(state));
}

/** What a call's event leads to; undefined when it moves nothing. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return call_moves.find((move) => move.event === event && (move.from as readonly string[]).includes(state))?.to;
}
