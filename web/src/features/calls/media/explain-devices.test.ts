/** What is told of devices that a page may not use. */
import { expect, it } from 'vitest';
import { addFailure, explainDevices } from './explain-devices.ts';

const failure = (source: 'microphone' | 'camera' | 'screen', name: string) => ({
  source,
  error: Object.assign(new Error(), { name }),
});

it('tells once that the browser lets the page use neither the microphone nor the camera', () => {
  const texts = explainDevices([failure('microphone', 'NotAllowedError'), failure('camera', 'NotAllowedError')]);
  expect(texts).toEqual([expect.stringContaining('use the microphone and the camera.')]);
});

it('tells what is wrong with each device, and nothing of a chooser that was closed', () => {
  const both = [failure('microphone', 'NotFoundError'), failure('camera', 'NotAllowedError')];
  expect(explainDevices(both)).toEqual([
    'No microphone was found on this device.',
    expect.stringContaining('use the camera.'),
  ]);
  expect(explainDevices([failure('screen', 'NotAllowedError')])).toEqual([]);
});

it('keeps the latest failure of each device, and none of a chooser that was closed, which "Try again" would open', () => {
  const camera = failure('camera', 'NotReadableError');
  const later = failure('camera', 'NotFoundError');
  expect(addFailure([camera], later)).toEqual([later]);
  expect(addFailure([camera], failure('screen', 'NotAllowedError'))).toEqual([camera]);
});
