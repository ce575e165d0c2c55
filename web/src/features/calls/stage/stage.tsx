import type { Call } from '@asterism/sdk';
import { useEffect, useRef, useState } from 'react';
import type { CSSProperties } from 'react';
import { showToast } from '../../../ui/overlay/toast.tsx';
import type { Choices } from '../../../media/saved-choices.ts';
import type { Rect } from './arrange-tiles.ts';
import { MediaTile } from './media-tile.tsx';
import { placeTiles } from './place-tiles.ts';
import { StagePages } from './stage-pages.tsx';
import type { PinChoice } from './use-pin.ts';
import { useCornerDrag } from './use-corner-drag.ts';
import { useStageArea } from './use-stage-area.ts';
import { useSwipe } from './use-swipe.ts';
import { useTiles } from './use-tiles.ts';
import type { Tiles } from './use-tiles.ts';
import { WaitingTile } from './waiting-tile.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import './stage.css';

const SMALL_PX = 170;
/** A tile that is wider than this shows an upright camera as a whole: a part of it would be a face without its chin. */
const WIDE_RATIO = 1.1;

/** Later tiles are above earlier ones: in a call of two, the own tile above the other's. */
const asStyle = (
  { x, y, width, height, covered_px = 0, covered_start_px = 0 }: Rect,
  zIndex: number,
): CSSProperties => ({
  insetInlineStart: x,
  top: y,
  width,
  height,
  zIndex,
  ['--covered' as string]: `${covered_px}px`,
  ['--covered-start' as string]: `${covered_start_px}px`,
});

const isSmall = ({ width, height }: Rect) => width < SMALL_PX || height < SMALL_PX * 0.7;

/** Shows who shares a screen while another tile is pinned, since the screen is not enlarged then. */
function useScreenNotice({ screen, pinned }: Tiles): void {
  const is_beside = screen !== undefined && pinned !== undefined && screen !== pinned;
  useEffect(() => {
    if (is_beside) showToast(i18n.t('{name} is sharing their screen.', { name: screen.who?.name ?? '' }));
  }, [screen?.key, is_beside]);
}

interface StageProps {
  call: Call;
  /** The reader: an account or a guest. */
  user_id: string | undefined;
  is_host: boolean;
  layout: Choices['layout'];
  pin: PinChoice;
  /** Whether the controls are hidden, whose room the tiles have then. */
  is_bare: boolean;
}

/** All participants as tiles that fill the stage without scrolling; a pinned tile or shared screen gets the most space. */
export function Stage({ call, user_id, is_host, layout, pin, is_bare }: StageProps) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [page, setPage] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const area = useStageArea(list, is_bare);
  const all = useTiles(call, user_id, dismissed, pin.pinned_key);
  useScreenNotice(all);
  const arranged = area === undefined ? undefined : placeTiles(area, layout, all, page, pin.corner);
  useSwipe(list, { page: arranged?.page ?? 0, page_count: arranged?.page_count ?? 1, onPage: setPage });
  useCornerDrag(list, arranged?.is_pair ?? false, pin.onCorner);
  const above_px = area?.above_px ?? 0;
  const inList = (rect: Rect): Rect => ({ ...rect, y: rect.y - above_px });
  const places = new Map(
    arranged?.placed.map(({ tile, rect }, at) => [
      tile.key,
      {
        style: asStyle(inList(rect), at),
        is_small: isSmall(rect),
        is_wide: rect.width > rect.height * WIDE_RATIO,
        is_floating: arranged.is_pair && at > 0,
        may_pin: !arranged.is_pair || at > 0,
      },
    ]),
  );
  return (
    <div className="stage-tiles">
      <ul ref={list} className="tiles" aria-label={i18n.t('On stage')}>
        {/* In a stable order: a video that is moved within the page would restart. */}
        {all.tiles.map((tile) => {
          const where = places.get(tile.key);
          if (where === undefined) return null;
          const { may_pin, is_wide, is_floating, ...shape } = where;
          const is_pinned = tile === all.pinned;
          const onPin = () => pin.onPin(is_pinned ? undefined : tile.key);
          if (tile.kind === 'media')
            return (
              <MediaTile
                key={tile.key}
                tile={tile}
                {...shape}
                is_wide={is_wide}
                is_floating={is_floating}
                is_pinned={is_pinned}
                onPin={may_pin || is_pinned ? onPin : undefined}
              />
            );
          const onDismiss = () => setDismissed(new Set([...dismissed, tile.who.id]));
          return <WaitingTile key={tile.key} who={tile.who} is_host={is_host} onDismiss={onDismiss} {...shape} />;
        })}
      </ul>
      {arranged === undefined ? null : (
        <StagePages {...arranged} area={inList(arranged.area)} row_y={arranged.row_y - above_px} onPage={setPage} />
      )}
    </div>
  );
}
