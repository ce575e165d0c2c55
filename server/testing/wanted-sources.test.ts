/** Which devices are on after a media connection was cut, or made anew. */
import { expect, it } from 'vitest';
import { createWantedSources } from '../../web/src/features/calls/state/wanted-sources.ts';

it('starts what was chosen once in a room, so that a cut opens no microphone that was muted meanwhile', () => {
  const wanted = createWantedSources(['microphone', 'camera']);
  const room = {};
  expect(wanted.startIn(room)).toEqual(['microphone', 'camera']);
  wanted.note('microphone', false);
  expect(wanted.startIn(room)).toEqual([]);
});

it('starts in another room what was on in the one before, but no screen', () => {
  const wanted = createWantedSources(['microphone']);
  wanted.startIn({});
  wanted.note('microphone', false);
  wanted.note('camera', true);
  wanted.note('screen', true);
  expect(wanted.startIn({})).toEqual(['camera']);
});
