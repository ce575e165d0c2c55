import { useSyncExternalStore } from 'react';

/** Where this device is, and why that is not known. */
export interface OwnPosition {
  readonly coords?: GeolocationCoordinates;
  readonly recorded_at?: string;
  readonly problem?: string;
}

let present: OwnPosition = {};
let watch: number | undefined;
const listeners = new Set<() => void>();

function tell(next: OwnPosition): void {
  present = next;
  for (const listener of listeners) listener();
}

const WORDS: Readonly<Record<number, string>> = {
  1: 'Your browser may not tell where you are. Allow it in the settings of this page, then try again.',
  2: 'Where you are could not be found out. Try again under the open sky.',
  3: 'Finding out where you are takes too long. Try again.',
};

function begin(): void {
  if (watch !== undefined) return;
  if (!('geolocation' in navigator)) return tell({ problem: 'This browser cannot tell where you are.' });
  watch = navigator.geolocation.watchPosition(
    ({ coords, timestamp }) => tell({ coords, recorded_at: new Date(timestamp).toISOString() }),
    ({ code }) => tell({ ...present, problem: WORDS[code] ?? WORDS[2] ?? '' }),
    { enableHighAccuracy: true, maximumAge: 5_000, timeout: 30_000 },
  );
}

function end(): void {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch);
  watch = undefined;
  present = {};
}

const NOTHING: OwnPosition = {};

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
