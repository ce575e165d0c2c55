import type { Call } from '@asterism/sdk';

type Ordered = Pick<Call['participants'][number], 'state' | 'hand_raised_at'>;

/** 0 for who is in the call, 1 for who is called, 2 for everybody else. */
const presenceOf = ({ state }: Ordered): number => (state === 'joined' ? 0 : state === 'ringing' ? 1 : 2);

/** Raised hands first, in the order in which they were raised, then who is in the call, who is called, and everybody else. */
export function orderParticipants<T extends Ordered>(participants: readonly T[]): T[] {
  const raised = participants.filter(({ hand_raised_at }) => hand_raised_at !== null);
  const others = participants.filter(({ hand_raised_at }) => hand_raised_at === null);
  const at = ({ hand_raised_at }: Ordered) => Date.parse(hand_raised_at ?? '');
  return [
    ...raised.toSorted((one, other) => at(one) - at(other)),
    ...others.toSorted((one, other) => presenceOf(one) - presenceOf(other)),
  ];
}
