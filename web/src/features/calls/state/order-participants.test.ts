/** The order of the people of a call. */
import { expect, it } from 'vitest';
import { orderParticipants } from './order-participants.ts';

type Ordered = Parameters<typeof orderParticipants>[0][number] & { name: string };

const one = (name: string, state: Ordered['state'], hand_raised_at: string | null = null): Ordered => ({
  name,
  state,
  hand_raised_at,
});

it('lists raised hands in the order in which they were raised, then who is in, who is called, and who is gone', () => {
  const ordered = orderParticipants([
    one('left', 'left'),
    one('called', 'ringing'),
    one('in', 'joined'),
    one('second hand', 'joined', '2031-05-14T12:02:00Z'),
    one('also in', 'joined'),
    one('first hand', 'joined', '2031-05-14T12:01:00Z'),
  ]);
  expect(ordered.map(({ name }) => name)).toEqual(['first hand', 'second hand', 'in', 'also in', 'called', 'left']);
});
