import { useEffect, useState, useSyncExternalStore } from 'react';
import { i18n } from '../../i18n/i18n.ts';

/** Where this device is, and why that is not known. */
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

function tell(next: OwnPosition): void {
  present = next;
  for (const listener of listeners) listener();
}

const WORDS: Readonly<Record<number, string>> = {
  get 1() {
    return i18n.t('Your browser may not tell where you are. Allow it in the settings of this page, then try again.');
  },
  get 2() {
    return i18n.t('Where you are could not be found out. Try again under the open sky.');
  },
  get 3() {
    return i18n.t('Finding out where you are takes too long. Try again.');
  },
};

/** Somebody who does not move is still there: where this device is, is found out anew this often. */
const ANEW_EVERY_MS = 30_000;
const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 };

// Nothing older than the question is taken, so that what comes is where the device is now.
const onFound = ({ coords }: GeolocationPosition) => tell({ coords, recorded_at: new Date().toISOString() });
const onFailed = ({ code }: GeolocationPositionError) => tell({ ...present, problem: WORDS[code] ?? WORDS[2] ?? '' });

/** Finds out once more where this device is, where somebody wants to know. */
export function refreshPosition(): void {
  if (watch === undefined) return;
  // While it is watched, Chromium answers with the next move alone, which of somebody who stays never comes.
  navigator.geolocation.clearWatch(watch);
  watch = navigator.geolocation.watchPosition(onFound, onFailed, OPTIONS);
}

function begin(): void {
  if (watch !== undefined) return;
  if (!('geolocation' in navigator)) return tell({ problem: i18n.t('This browser cannot tell where you are.') });
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

/** Where this device is while `wanted`; the browser asks for leave when it begins. */
export function usePosition(wanted: boolean): OwnPosition {
  return useSyncExternalStore(wanted ? subscribe : stay, () => (wanted ? present : NOTHING));
}

/** Whether the browser tells where this device is without asking for leave first. */
export function useMayLocate(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    let is_gone = false;
    const ask = async () => {
      const { state } = await navigator.permissions.query({ name: 'geolocation' });
      if (!is_gone) setMay(state === 'granted');
    };
    // A browser that does not say so asks for leave.
    ask().catch(() => undefined);
    return () => {
      is_gone = true;
    };
  }, []);
  return may;
}
