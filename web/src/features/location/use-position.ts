import { useEffect, useState, useSyncExternalStore } from 'react';
import { i18n } from '../../i18n/i18n.ts';

/** The position of this device, or why it is unknown. */
export interface OwnPosition {
  readonly coords?: GeolocationCoordinates;
  readonly recorded_at?: string;
  readonly problem?: string;
}

const NOTHING: OwnPosition = {};
let present = NOTHING;
let watch: number | undefined;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function notifyListeners(next: OwnPosition): void {
  present = next;
  for (const listener of listeners) listener();
}

const WORDS: Readonly<Record<number, string>> = {
  get 1() {
    return i18n.t('Your browser doesn’t share your location. Allow it in the settings of this page, then try again.');
  },
  get 2() {
    return i18n.t('Your location couldn’t be found. Try again outdoors.');
  },
  get 3() {
    return i18n.t('Finding your location took too long. Try again.');
  },
};

/** A device that does not move must still report: its position is determined again at this interval. */
const ANEW_EVERY_MS = 30_000;
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 };

// The position is never a cached one (`maximumAge` is 0), so that its time is now.
const onFound = ({ coords }: GeolocationPosition) => notifyListeners({ coords, recorded_at: new Date().toISOString() });
const onFailed = ({ code }: GeolocationPositionError) =>
  notifyListeners({ ...present, problem: WORDS[code] ?? WORDS[2] ?? '' });

/** Determines the position of this device again, if something watches it. */
export function refreshPosition(): void {
  if (watch === undefined) return;
  // During a watch, Chromium reports only movements, and a device that stays in place makes none.
  navigator.geolocation.clearWatch(watch);
  watch = navigator.geolocation.watchPosition(onFound, onFailed, OPTIONS);
}

function begin(): void {
  if (watch !== undefined) return;
  if (!('geolocation' in navigator))
    return notifyListeners({ problem: i18n.t('This browser can’t find your location.') });
  watch = navigator.geolocation.watchPosition(onFound, onFailed, OPTIONS);
  timer = setInterval(refreshPosition, ANEW_EVERY_MS);
}

function end(): void {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch);
  clearInterval(timer);
  watch = undefined;
  present = NOTHING;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  begin();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) end();
  };
}

const stay = (): (() => void) => () => undefined;

/** The position of this device while `wanted`; the browser asks for permission at the start. */
export function usePosition(wanted: boolean): OwnPosition {
  return useSyncExternalStore(wanted ? subscribe : stay, () => (wanted ? present : NOTHING));
}

/** Whether the browser already has permission to determine the position. */
export function useMayLocate(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    let is_gone = false;
    const ask = async () => {
      const { state } = await navigator.permissions.query({ name: 'geolocation' });
      if (!is_gone) setMay(state === 'granted');
    };
    // A browser without the Permissions API will ask for permission.
    ask().catch(() => undefined);
    return () => {
      is_gone = true;
    };
  }, []);
  return may;
}
