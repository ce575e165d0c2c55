import { useCallback, useEffect, useRef, useState } from 'react';

/** A segment of one person's audio in a recording: from when they joined until they left. */
export interface TrackSegment {
  readonly id: string;
  readonly starts_s: number;
  readonly duration_s: number;
}

const TICK_MS = 200;
/** A segment with more drift than this is seeked to the common position, in seconds. */
const MAX_DRIFT_S = 0.25;

/** Synchronises one element with the common position. @returns whether it is still buffering */
function syncElement(element: HTMLAudioElement, segment: TrackSegment, at_s: number, rate: number): boolean {
  const place_s = at_s - segment.starts_s;
  if (place_s < 0 || place_s >= segment.duration_s) {
    if (!element.paused) element.pause();
    return false;
  }
  element.playbackRate = rate;
  if (element.paused) {
    element.currentTime = place_s;
    element.play().catch(() => undefined);
  } else if (Math.abs(element.currentTime - place_s) > MAX_DRIFT_S) element.currentTime = place_s;
  return element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
}

/**
 * Plays the segments of several people as one recording, with a common clock that waits for buffering.
 * @param length_s the duration of the recording
 */
export function useTracks(segments: readonly TrackSegment[], length_s: number) {
  const elements = useRef(new Map<string, HTMLAudioElement>());
  const [playing, setPlaying] = useState(false);
  const [at_s, setAt] = useState(0);
  const [rate, setRate] = useState(1);
  const place = useRef(0);
  const seek = useCallback((to_s: number) => {
    place.current = to_s;
    setAt(to_s);
  }, []);
  useEffect(() => {
    const all = elements.current;
    if (!playing) return all.forEach((element) => element.pause());
    let last_ms = performance.now();
    const tick = () => {
      const now_ms = performance.now();
      const passed_s = ((now_ms - last_ms) / 1000) * rate;
      last_ms = now_ms;
      const awaited = segments.filter((segment) => {
        const element = all.get(segment.id);
        return element !== undefined && syncElement(element, segment, place.current, rate);
      });
      if (awaited.length > 0) return;
      const is_over = place.current + passed_s >= length_s;
      seek(is_over ? 0 : place.current + passed_s);
      if (is_over) setPlaying(false);
    };
    tick();
    const clock = setInterval(tick, TICK_MS);
    return () => clearInterval(clock);
  }, [playing, segments, length_s, rate, seek]);
  useEffect(() => {
    const all = elements.current;
    return () => all.forEach((element) => element.pause());
  }, []);
  const hold = useCallback((id: string, element: HTMLAudioElement | null) => {
    if (element === null) elements.current.delete(id);
    else elements.current.set(id, element);
  }, []);
  return { playing, setPlaying, at_s, seek, rate, setRate, hold };
}
