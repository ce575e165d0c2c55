import type { Source } from '../state/wanted-sources.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** A device that could not be used, and why. */
export interface DeviceFailure {
  readonly source: Source;
  readonly error: unknown;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
const isDenied = (error: unknown): boolean => ['NotAllowedError', 'SecurityError'].includes(nameOf(error));

/** The latest failure of each device after another one. A screen that the reader did not choose is no failure. */
export function addFailure(known: readonly DeviceFailure[], failure: DeviceFailure): readonly DeviceFailure[] {
  const others = known.filter(({ source }) => source !== failure.source);
  return explainDevice(failure.source, failure.error) === undefined ? others : [...others, failure];
}

/** What to do when several devices could not be used: once, where the browser lets the page use neither. */
export function explainDevices(failures: readonly DeviceFailure[]): string[] {
  const denied = failures.filter(({ source, error }) => source !== 'screen' && isDenied(error));
  const is_both = denied.length === 2;
  const others = is_both ? failures.filter((one) => !denied.includes(one)) : failures;
  const both = i18n.t(
    'Your browser doesn’t let Asterism use the microphone and the camera. Press the icon beside the address, allow both for this page, and try again. You can stay and listen meanwhile.',
  );
  return [...(is_both ? [both] : []), ...others.flatMap(({ source, error }) => explainDevice(source, error) ?? [])];
}

/** What to do when a device could not be used. @returns undefined when the reader only closed the chooser */
export function explainDevice(source: Source, error: unknown): string | undefined {
  const name = nameOf(error);
  if (isDenied(error)) {
    if (source === 'screen') return undefined;
    return i18n.t(
      '{source, select, camera {Your browser doesn’t let Asterism use the camera. Press the icon beside the address, allow the camera for this page, and try again. You can stay and listen meanwhile.} other {Your browser doesn’t let Asterism use the microphone. Press the icon beside the address, allow the microphone for this page, and try again. You can stay and listen meanwhile.}}',
      { source },
    );
  }
  if (name === 'NotFoundError')
    return i18n.t(
      '{source, select, camera {No camera was found on this device.} screen {No screen was found on this device.} other {No microphone was found on this device.}}',
      { source },
    );
  if (name === 'NotReadableError')
    return i18n.t(
      '{source, select, camera {Another program is using the camera. Close it and try again.} screen {Another program is using the screen. Close it and try again.} other {Another program is using the microphone. Close it and try again.}}',
      { source },
    );
  if (name === 'BlurError')
    return i18n.t(
      'Your background couldn’t be blurred, so your camera stays off. Try again, or turn off blur under Devices.',
    );
  return i18n.t(
    '{source, select, camera {The camera couldn’t be started.} screen {The screen couldn’t be started.} other {The microphone couldn’t be started.}}',
    { source },
  );
}
