import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';
import { useSize } from '../../../ui/hooks/use-size.ts';
import type { Size } from './arrange-tiles.ts';

interface StageArea extends Size {
  /** How far it begins above the list of tiles. */
  readonly above_px: number;
}

/** The room of the tiles with that of the hidden controls, unless a notice is between them. */
function withRoomOfControls(tiles: HTMLElement, area: StageArea): StageArea {
  const page = tiles.closest('.call');
  const section = tiles.closest('.call-stage');
  const [header, controls] = [page?.querySelector('.call-header'), page?.querySelector('.call-controls')];
  if (!section || !header || !controls) return area;
  const [own, around] = [tiles.getBoundingClientRect(), section.getBoundingClientRect()];
  const above_px = own.top - around.top < 1 ? own.top - header.getBoundingClientRect().top : 0;
  const below_px = around.bottom - own.bottom < 1 ? controls.getBoundingClientRect().bottom - own.bottom : 0;
  return { ...area, above_px, height: area.height + above_px + below_px };
}

/** Keeps toasts at the top of the tiles, below notices and beside the chat, and a chat over the tiles below notices too. */
function useToastPlace(tiles: RefObject<HTMLElement | null>, size: Size | undefined): void {
  useLayoutEffect(() => {
    if (tiles.current === null || size === undefined) return;
    const { style } = document.documentElement;
    const { top } = tiles.current.getBoundingClientRect();
    const notices_px = top - (tiles.current.closest('.call-stage')?.getBoundingClientRect().top ?? top);
    style.setProperty('--stage-top', `${Math.round(top)}px`);
    style.setProperty('--notices-height', `${Math.round(notices_px)}px`);
    style.setProperty('--stage-width', `${Math.round(size.width)}px`);
    return () => {
      style.removeProperty('--stage-top');
      style.removeProperty('--notices-height');
      style.removeProperty('--stage-width');
    };
  }, [size]);
}

/**
 * The area in which tiles are placed; undefined before layout. The list of tiles itself does not change with the
 * controls, so that tiles move from place to place without a jump.
 * @param is_bare whether the controls are hidden
 */
export function useStageArea(tiles: RefObject<HTMLElement | null>, is_bare: boolean): StageArea | undefined {
  const size = useSize(tiles);
  useToastPlace(tiles, size);
  if (size === undefined || tiles.current === null) return undefined;
  const area = { ...size, above_px: 0 };
  return is_bare ? withRoomOfControls(tiles.current, area) : area;
}
