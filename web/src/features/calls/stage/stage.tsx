import type { Call } from '@asterism/sdk';
import { useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { useSize } from '../../../ui/hooks/use-size.ts';
import { arrangeGallery, arrangePair, arrangeSpeaker, stripRoom } from './arrange-tiles.ts';
import type { Rect, Size } from './arrange-tiles.ts';
import type { Choices } from '../../../media/saved-choices.ts';
import { MediaTile } from './media-tile.tsx';
import { useTiles } from './use-tiles.ts';
import type { TileModel } from './use-tiles.ts';
import { WaitingTile } from './waiting-tile.tsx';
import { i18n } from '../../../i18n/i18n.ts';

/** The maximum of tiles; further participants are counted, and audible. */
const MAX_TILES = 16;
const SMALL_PX = 170;

type Placed = { tile: TileModel; rect: Rect };

interface Arranged {
  placed: Placed[];
  /** The tile with the number of further participants. */
  more?: { rect: Rect; count: number } | undefined;
}

const place = (tiles: readonly TileModel[], rects: readonly Rect[]): Placed[] =>
  tiles.flatMap((tile, at) => (rects[at] === undefined ? [] : [{ tile, rect: rects[at] }]));

/** Leaves out participants beyond the maximum, in favour of a tile with their number. */
function fit(tiles: readonly TileModel[], room: number, arrange: (count: number) => Rect[]): Arranged {
  if (tiles.length <= room) return { placed: place(tiles, arrange(tiles.length)) };
  const shown = tiles.slice(0, room - 1);
  const rects = arrange(room);
  const last = rects.at(-1);
  return {
    placed: place(shown, rects),
    more: last && { rect: last, count: tiles.length - shown.length },
  };
}

function arrangeTiles(stage: Size, layout: Choices['layout'], all: ReturnType<typeof useTiles>): Arranged {
  const { tiles, focus, isOwn, shares_screen } = all;
  const [own, others] = [tiles.filter(isOwn), tiles.filter((tile) => !isOwn(tile))];
  if (!shares_screen && own.length === 1 && others.length === 1)
    return { placed: place([...others, ...own], arrangePair(stage)) };
  if (shares_screen || layout === 'speaker') {
    const ordered = [...(focus === undefined ? [] : [focus]), ...tiles.filter((tile) => tile !== focus)];
    return fit(ordered, 1 + stripRoom(stage), (count) => arrangeSpeaker(count, stage));
  }
  // The current speaker is always shown.
  const late = tiles.length > MAX_TILES && focus !== undefined && tiles.indexOf(focus) >= MAX_TILES - 1;
  const ordered = late ? [focus, ...tiles.filter((tile) => tile !== focus)] : tiles;
  return fit(ordered, MAX_TILES, (count) => arrangeGallery(count, stage));
}

/** Later tiles are above earlier ones: in a call of two, the own tile above the other's. */
const asStyle = ({ x, y, width, height, covered_px = 0 }: Rect, zIndex: number): CSSProperties => ({
  left: x,
  top: y,
  width,
  height,
  zIndex,
  ['--covered' as string]: `${covered_px}px`,
});

interface StageProps {
  call: Call;
  user_id: string | undefined;
  is_host: boolean;
  layout: Choices['layout'];
}

/** All participants as tiles that fill the stage without scrolling; a shared screen gets the most space. */
export function Stage({ call, user_id, is_host, layout }: StageProps) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const size = useSize(list);
  const all = useTiles(call, user_id, dismissed);
  const { placed, more } = size === undefined ? { placed: [] } : arrangeTiles(size, layout, all);
  const places = new Map(
    placed.map(({ tile, rect }, at) => [
      tile.key,
      { style: asStyle(rect, at), is_small: rect.width < SMALL_PX || rect.height < SMALL_PX * 0.7 },
    ]),
  );
  return (
    <ul ref={list} className="tiles" aria-label={i18n.t('On stage')}>
      {/* In a stable order: a video that is moved within the page would restart. */}
      {all.tiles.map((tile) => {
        const where = places.get(tile.key);
        if (where === undefined) return null;
        if (tile.kind === 'media') return <MediaTile key={tile.key} tile={tile} {...where} />;
        const onDismiss = () => setDismissed(new Set([...dismissed, tile.who.id]));
        return <WaitingTile key={tile.key} who={tile.who} is_host={is_host} onDismiss={onDismiss} {...where} />;
      })}
      {more === undefined ? null : (
        <li className="tile tile-more" style={asStyle(more.rect, 0)}>
          <strong>+{more.count}</strong>
          <span>{i18n.t('more')}</span>
        </li>
      )}
    </ul>
  );
}
