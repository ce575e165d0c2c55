/**
 * The state machine of a call: states of participants and of the call, transitions and their effects, as two tables
 * that the code, the documentation and the tests read. `transition.ts` executes it.
 */

/** The states of a participant. */
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
/** The states of a call. */
export const call_states = ['ringing', 'live', 'ended'] as const;
/** Why a call ended: its host ended it, nobody was left, or the account of its host is gone. */
export const end_reasons = ['hung_up', 'empty', 'host_gone'] as const;

/** The state of a participant. */
export type ParticipantState = (typeof participant_states)[number];
/** The state of a call. */
export type CallState = (typeof call_states)[number];
/** Why a call ended. */
export type EndReason = (typeof end_reasons)[number];

/** How long each state may last, and how often the media server is asked about connected participants, in seconds. */
export const terms = { ring_s: 45, joining_s: 30, empty_s: 60, reconcile_s: 3 } as const;

/**
 * The effect of a participant's transition, besides notifying everybody in the call: a missed call in their inbox,
 * removal from the room, the end of their phone's leg, and, whenever a ring ends, stopping it on all their devices.
 */
export type Effect = 'missed' | 'remove' | 'hang_up' | 'silence';

type ParticipantTransition = {
  from: readonly ParticipantState[];
  event: string;
  to: ParticipantState;
  follows: readonly Effect[];
  when: string;
};

const away = ['left', 'declined', 'no_answer', 'busy', 'failed'] as const;

/** All transitions of a participant. Any other event has no effect. */
export const participant_transitions = [
  {
    from: ['ringing', 'joining', ...away],
    event: 'answered',
    to: 'joining',
    follows: [],
    when: 'they request a media grant, or answer their phone',
  },
  {
    from: ['joining', 'left'],
    event: 'connected',
    to: 'joined',
    follows: [],
    when: 'the media server reports that they are connected',
  },
  {
    from: ['joined'],
    event: 'disconnected',
    to: 'left',
    follows: [],
    when: 'the media server reports that they are disconnected',
  },
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
    when: `nobody answers for ${terms.ring_s} s, or the ring is cancelled`,
  },
  {
    from: ['ringing'],
    event: 'engaged',
    to: 'busy',
    follows: ['missed', 'hang_up'],
    when: 'they are in another call, or their phone is busy',
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
    when: 'they leave, are removed, or the call ends',
  },
  {
    from: ['ringing'],
    event: 'blocked',
    to: 'no_answer',
    follows: ['hang_up'],
    when: 'a block separates them from the host, or the owner of the room or event',
  },
  {
    from: ['joining', 'joined'],
    event: 'blocked',
    to: 'left',
    follows: ['remove', 'hang_up'],
    when: 'a block separates them from the host, or the owner of the room or event',
  },
  { from: [...away], event: 'rung', to: 'ringing', follows: [], when: 'a participant calls them again' },
] as const satisfies readonly ParticipantTransition[];

/** What moves a participant to another state. */
export type ParticipantEvent = (typeof participant_transitions)[number]['event'];

/** All transitions of a call. */
export const call_transitions = [
  { from: ['ringing'], event: 'answered', to: 'live', when: 'a called person joins' },
  { from: ['ringing'], event: 'unanswered', to: 'live', when: 'no ring is left' },
  { from: ['ringing', 'live'], event: 'hung_up', to: 'ended', when: 'the host ends it' },
  {
    from: ['ringing', 'live'],
    event: 'empty',
    to: 'ended',
    when: `nobody with an account has been in it, and nobody rung, for ${terms.empty_s} s`,
  },
  { from: ['ringing', 'live'], event: 'host_gone', to: 'ended', when: "the host's account goes" },
] as const;

/** What moves a call to another state. */
export type CallEvent = (typeof call_transitions)[number]['event'];

/** States that time out: from when, after how long, and the event that follows. */
export const time_outs = [
  { state: 'ringing', since: 'rung_at', term_s: terms.ring_s, event: 'ring_over' },
  { state: 'joining', since: 'joining_at', term_s: terms.joining_s, event: 'joining_over' },
] as const;

/** The transition for a participant's event; undefined when it has no effect. */
export function nextTransition(state: ParticipantState, event: ParticipantEvent): ParticipantTransition | undefined {
  return participant_transitions.find(
    (transition) => transition.event === event && (transition.from as readonly string[]).includes(state),
  );
}

/** The next state for a call's event; undefined when it has no effect. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return call_transitions.find(
    (transition) => transition.event === event && (transition.from as readonly string[]).includes(state),
  )?.to;
}
