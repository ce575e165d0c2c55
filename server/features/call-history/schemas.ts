import type { Viewer } from '../../domain/visibility/viewer.ts';
import { guestOf } from '../../domain/calls/state/call-people.ts';
import {
  media_values,
  Participant,
  presentCall,
  privacy_values,
  type CallRow,
  type ParticipantRow,
} from '../../domain/calls/state/calls.ts';
import { isPresent } from '../../domain/calls/state/transition.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { wireTime, wireTimeOrNull } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';

const outcomes = ['answered', 'missed', 'declined', 'no_answer', 'busy', 'failed', 'cancelled'] as const;
type Outcome = (typeof outcomes)[number];

export const CallHistoryItem = component(
  'CallHistoryItem',
  object({
    conference_id: idOf('conf'),
    join_code: Type.String({ description: 'Identifies the call when reacting to, editing and deleting its messages.' }),
    direction: oneOf('incoming', 'outgoing'),
    privacy: oneOf(...privacy_values),
    media: oneOf(...media_values),
    group_id: nullable(idOf('grp')),
    participants: Type.Array(Participant, {
      maxItems: default_limits.history_participants,
      description: `The first ${default_limits.history_participants}, including you.`,
    }),
    participant_count: Type.Integer({ minimum: 0, description: 'All of them.' }),
    started_at: moment,
    ended_at: nullable(moment),
    duration_s: Type.Integer({ minimum: 0, description: 'When a second person joined.' }),
    outcome: oneOf(...outcomes),
  }),
);

/** A call in the history of one of its participants or callees. */
export function presentHistory(
  call: CallRow,
  hidden_ids: ReadonlySet<string>,
  viewer: Pick<Viewer, 'id' | 'services'>,
): Static<typeof CallHistoryItem> {
  const { id: user_id } = viewer;
  const { participants } = presentCall(call, viewer);
  const mine = call.participants.find((one) => one.user_id === user_id);
  const seen = participants.filter(({ user }) => !user || !hidden_ids.has(user.id));
  const first = seen.slice(0, default_limits.history_participants);
  const own = seen.find(({ id }) => id === mine?.id);
  if (own && !first.includes(own)) first.splice(-1, 1, own);
  return {
    conference_id: call.id,
    join_code: call.join_code,
    direction: hasCalled(call, user_id) ? 'outgoing' : 'incoming',
    privacy: call.privacy,
    media: call.media,
    group_id: call.group_id,
    participants: first,
    participant_count: seen.length,
    started_at: wireTime(call.started_at),
    ended_at: wireTimeOrNull(call.ended_at ?? mine?.left_at ?? null),
    duration_s: mine?.joined_at ? talked(call, mine.left_at) : 0,
    outcome: hasCalled(call, user_id) ? outcomeFor(call, user_id) : outcomeOf(mine),
  };
}

/** Whether a user started a call. One started by a widget guest counts as incoming for its owner. */
const hasCalled = (call: CallRow, user_id: string): boolean => call.started_by === user_id && !guestOf(call);

/** How long two or more people were in it, until it ended or the viewer left, in seconds. */
function talked(call: CallRow, left_at: Date | null): number {
  const joined = call.participants
    .flatMap(({ joined_at }) => joined_at ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  const [began, ended] = [joined[1], left_at ?? call.ended_at];
  return began && ended ? Math.max(0, Math.round((ended.getTime() - began.getTime()) / 1000)) : 0;
}

/** The outcome of an incoming call. */
function outcomeOf(mine: ParticipantRow | undefined): Outcome {
  if (mine?.joined_at) return 'answered';
  return mine?.state === 'declined' ? 'declined' : 'missed';
}

/** The outcome of an outgoing call: the best of all callees. */
function outcomeFor(call: CallRow, user_id: string): Outcome {
  const others = call.participants.filter((one) => one.user_id !== user_id);
  if (others.some(({ joined_at }) => joined_at)) return 'answered';
  for (const state of ['declined', 'busy', 'failed'] as const)
    if (others.length > 0 && others.every((one) => one.state === state)) return state;
  return others.some((one) => !isPresent(one) && one.state !== 'left') ? 'no_answer' : 'cancelled';
}
