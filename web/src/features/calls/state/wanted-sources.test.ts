/** Which devices are on after a media connection was interrupted or created again. */
import { expect, it } from 'vitest';
import { createWantedSources } from './wanted-sources.ts';

it('WantedSources starts sources once per room, so that a reconnection does not unmute a microphone', () => {
  const wanted = createWantedSources(['microphone', 'camera']);
  const room = {};
  expect(wanted.startIn(room)).toEqual(['microphone', 'camera']);
  wanted.note('microphone', false);
  expect(wanted.startIn(room)).toEqual([]);
});

it('WantedSources starts in another room what was on in the previous one, except the screen', () => {
  const wanted = createWantedSources(['microphone']);
  wanted.startIn({});
  wanted.note('microphone', false);
  wanted.note('camera', true);
  wanted.note('screen', true);
  expect(wanted.startIn({})).toEqual(['camera']);
});

it('WantedSources continues once what is on at another client, unless the reader has switched something since', () => {
  const moved = createWantedSources(['microphone']);
  expect(moved.startIn({}, ['camera'])).toEqual(['camera']);
  moved.note('microphone', true);
  expect(moved.startIn({}, ['camera'])).toEqual(['camera', 'microphone']);
  const switched = createWantedSources(['microphone']);
  switched.note('microphone', false);
  expect(switched.startIn({}, ['microphone'])).toEqual([]);
});
