import { expect, it } from 'vitest';
import type { ParticipantRow } from '../../../domain/calls/state/calls.ts';
import { muteAtServer } from './mute.ts';

const crowd = Array.from({ length: 50 }, (_, at): Pick<ParticipantRow, 'id' | 'user_id' | 'leg'> => ({
  id: `part_${at}`,
  user_id: null,
  leg: null,
}));
const log = { warn: () => undefined };

it('mutes eight participants at once', async () => {
  const running = { now: 0, max: 0 };
  const muted: string[] = [];
  const media = {
    mute: async (_room: string, identity: string) => {
      running.now += 1;
      running.max = Math.max(running.max, running.now);
      await new Promise((resolve) => setImmediate(resolve));
      running.now -= 1;
      muted.push(identity);
    },
  };
  expect(await muteAtServer({ media, log }, 'conf_1', crowd)).toEqual([]);
  expect(running.max).toBe(8);
  expect(muted.toSorted()).toEqual(crowd.map(({ id }) => id).toSorted());
});

it('asks no longer than its limit: those who were not asked were not muted', async () => {
  let asked = 0;
  const media = {
    mute: (_room: string, _identity: string) => {
      asked += 1;
      return new Promise<void>((_, reject) => setTimeout(() => reject(new Error('no answer')), 30));
    },
  };
  const failed = await muteAtServer({ media, log }, 'conf_1', crowd, 10);
  expect([asked, failed.toSorted()]).toEqual([8, crowd.map(({ id }) => id).toSorted()]);
});
