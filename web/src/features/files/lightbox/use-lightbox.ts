import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { useSize } from '../../../ui/hooks/use-size.ts';
import { moveAmong } from './keep-pictures.ts';
import type { Position } from './keep-pictures.ts';
import type { OpenLightbox } from './open-lightbox.ts';
import type { LightboxPicture } from './pictures.ts';
import { useOlder } from './use-older.ts';
import { clampView, fit, FITTED, toggleZoom, zoomAt } from './zoom.ts';
import type { Point, Size, View } from './zoom.ts';

const NO_SIZE: Size = { width: 0, height: 0 };
/** A picture that was not moved. */
export const CENTRE: Point = { x: 0, y: 0 };
/** How far an arrow key moves a zoomed picture, in pixels. */
const KEY_PX = 80;
/** The factor by which a key zooms. */
const KEY_ZOOM = 1.5;

/** A picture in its pixels; one on this device may not be measured yet. */
export const pixelsOf = ({ file: { width = 1600, height = 1200 } }: LightboxPicture): Size => ({ width, height });

/**
 * The shown picture, how it is zoomed, and what changes both.
 * @param onDeleted runs once all have been deleted from their chat
 */
export function useLightbox({ pictures: opened, index: first, chat }: OpenLightbox, onDeleted: () => void) {
  const viewport = useRef<HTMLDivElement>(null);
  const size = useSize(viewport);
  const viewport_size = size ?? NO_SIZE;
  const [position, setPosition] = useState<Position>({ pictures: opened, index: first, older_count: 0 });
  const { pictures, index, older_count } = position;
  const [last_view, setLastView] = useState<View>(FITTED);
  const [announced, setAnnounced] = useState('');
  const picture = pictures[index] as LightboxPicture;
  const fitted = fit(pixelsOf(picture), viewport_size);
  // The window may have changed since.
  const view = last_view === FITTED ? FITTED : clampView(last_view, fitted, viewport_size);
  const moveTo = (next: Position) => {
    setPosition(next);
    setLastView(FITTED);
    setAnnounced(next.pictures[next.index]?.name ?? '');
  };
  const { has_older, is_seeking, seek } = useOlder(chat, pictures[0], (older) =>
    moveTo({
      pictures: [...older, ...pictures],
      index: older.length - 1,
      older_count: older_count + older.length,
    }),
  );
  useEffect(() => {
    const leaveOutDeleted = () => {
      const kept = chat?.keep(pictures) ?? pictures;
      if (kept.length === pictures.length) return;
      if (kept.length === 0) return onDeleted();
      const next = moveAmong(position, kept);
      // What is shown stays as it is zoomed.
      if (kept[next.index] === picture) setPosition(next);
      else moveTo(next);
    };
    leaveOutDeleted();
    return chat?.subscribe(leaveOutDeleted);
  }, [chat, position]);
  const goTo = (to: number) => {
    if (to === index) return;
    seek(to < 0 && has_older);
    if (pictures[to] !== undefined) moveTo({ ...position, index: to });
  };
  const setView = (next: View) => {
    // A video has its own controls, which are not enlarged.
    if (picture.file.kind !== 'video') setLastView(next.scale === 1 ? FITTED : clampView(next, fitted, viewport_size));
  };
  return {
    viewport,
    viewport_size,
    is_placed: size !== undefined,
    ...position,
    has_older,
    is_seeking,
    picture,
    fitted,
    view,
    announced,
    goTo,
    setView,
    toggleZoom: () => setView(toggleZoom(view, CENTRE, pixelsOf(picture), fitted)),
  };
}

/** The state of the lightbox and what changes it. */
export type LightboxState = ReturnType<typeof useLightbox>;

/** How an arrow key moves a zoomed picture. */
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: KEY_PX, y: 0 },
  ArrowRight: { x: -KEY_PX, y: 0 },
  ArrowUp: { x: 0, y: KEY_PX },
  ArrowDown: { x: 0, y: -KEY_PX },
};

/** What a key does; undefined for keys that the lightbox leaves to others. */
function actionOf(key: string, has_shift: boolean, lightbox: LightboxState): (() => void) | undefined {
  const { pictures, index, view, goTo, setView } = lightbox;
  const move = ARROWS[key];
  if (move !== undefined) {
    if (move.x === 0 || has_shift) return () => setView({ ...view, x: view.x + move.x, y: view.y + move.y });
    const next_key = pageDirection() === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    return () => goTo(key === next_key ? index + 1 : index - 1);
  }
  const actions: Record<string, () => void> = {
    Home: () => goTo(0),
    End: () => goTo(pictures.length - 1),
    '+': () => setView(zoomAt(view, view.scale * KEY_ZOOM, CENTRE)),
    '=': () => setView(zoomAt(view, view.scale * KEY_ZOOM, CENTRE)),
    '-': () => setView(zoomAt(view, view.scale / KEY_ZOOM, CENTRE)),
    '0': () => setView(FITTED),
  };
  return actions[key];
}

/** The keys of the lightbox; Escape is that of every dialog. */
export function keyHandler(lightbox: LightboxState) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // The keys of a video that has the focus are the browser's: they seek in it, and change its volume.
    if (event.target instanceof HTMLVideoElement) return;
    const act = actionOf(event.key, event.shiftKey, lightbox);
    if (act === undefined) return;
    act();
    event.preventDefault();
  };
}
