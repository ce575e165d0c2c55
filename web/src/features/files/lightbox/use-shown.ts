import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { pageDirection } from '../../../i18n/page-direction.ts';
import { useSize } from '../../../ui/hooks/use-size.ts';
import type { OpenLightbox } from './open-lightbox.ts';
import type { LightboxPicture } from './pictures.ts';
import { useOlder } from './use-older.ts';
import { clampView, fit, FITTED, toggleZoom, zoomAt } from './zoom.ts';
import type { Point, Size, View } from './zoom.ts';

const NO_SIZE: Size = { width: 0, height: 0 };
/** A picture that was not moved. */
export const CENTRE: Point = { x: 0, y: 0 };
/** How far a key moves a zoomed picture. */
const KEY_PX = 80;

/** A picture in its pixels; one on this device may not be measured yet. */
export const pixelsOf = ({ file: { width = 1600, height = 1200 } }: LightboxPicture): Size => ({ width, height });

/** The shown picture, how it is zoomed, and what changes both. */
export function useShown({ pictures: opened, index: first, chat }: OpenLightbox) {
  const room = useRef<HTMLDivElement>(null);
  const size = useSize(room);
  const space = size ?? NO_SIZE;
  const [{ pictures, index, older_count }, setPlace] = useState({ pictures: opened, index: first, older_count: 0 });
  const [raw_view, setView] = useState<View>(FITTED);
  const [announced, setAnnounced] = useState('');
  const picture = pictures[index] as LightboxPicture;
  const fitted = fit(pixelsOf(picture), space);
  // The window may have changed since.
  const view = raw_view === FITTED ? FITTED : clampView(raw_view, fitted, space);
  const enter = (next: LightboxPicture, place: { pictures: typeof pictures; index: number; older_count: number }) => {
    setPlace(place);
    setView(FITTED);
    setAnnounced(next.name);
  };
  const { has_older, is_seeking, seek } = useOlder(chat, pictures[0], (older) => {
    const at = older.length - 1;
    const place = { pictures: [...older, ...pictures], index: at, older_count: older_count + older.length };
    enter(older[at] as LightboxPicture, place);
  });
  const go = (to: number) => {
    const next = pictures[to];
    if (to === index) return;
    seek(to < 0 && has_older);
    if (next !== undefined) enter(next, { pictures, index: to, older_count });
  };
  const show = (next: View) => {
    // A video has its own controls, which are not enlarged.
    if (picture.file.kind !== 'video') setView(next.scale === 1 ? FITTED : clampView(next, fitted, space));
  };
  const toggle = () => show(toggleZoom(view, CENTRE, pixelsOf(picture), fitted));
  return {
    room,
    space,
    is_placed: size !== undefined,
    pictures,
    index,
    /** How many of the pictures before the shown one were added since the first was opened. */
    older_count,
    has_older,
    is_seeking,
    picture,
    fitted,
    view,
    announced,
    go,
    show,
    toggle,
  };
}

/** The keys of the lightbox; Escape is that of every dialog. */
export function keyHandler({ pictures, index, view, go, show }: ReturnType<typeof useShown>) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // The keys of a video that has the focus are the browser's: they seek in it, and change its volume.
    if (event.target instanceof HTMLVideoElement) return;
    const forward = pageDirection() === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const moves: Record<string, readonly [number, number]> = {
      ArrowLeft: [KEY_PX, 0],
      ArrowRight: [-KEY_PX, 0],
      ArrowUp: [0, KEY_PX],
      ArrowDown: [0, -KEY_PX],
    };
    const { key } = event;
    const [x, y] = moves[key] ?? [0, 0];
    const is_sideways = x !== 0 && !event.shiftKey;
    if (is_sideways) go(key === forward ? index + 1 : index - 1);
    else if (x !== 0 || y !== 0) show({ ...view, x: view.x + x, y: view.y + y });
    else if (key === 'Home') go(0);
    else if (key === 'End') go(pictures.length - 1);
    else if (key === '+' || key === '=') show(zoomAt(view, view.scale * 1.5, CENTRE));
    else if (key === '-') show(zoomAt(view, view.scale / 1.5, CENTRE));
    else if (key === '0') show(FITTED);
    else return;
    event.preventDefault();
  };
}
