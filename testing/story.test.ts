import { expect, it } from 'vitest';
import { describeStory } from './story.ts';

const told: string[] = [];

describeStory(undefined, 'a story', () => {
  for (const step of ['first', 'second', 'third'])
    it(`tells its ${step} step in its place, whatever the order of other tests`, () => {
      told.push(step);
      expect(told).toEqual(['first', 'second', 'third'].slice(0, told.length));
    });
});
