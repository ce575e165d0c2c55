import { pageDirection } from '../../../i18n/page-direction.ts';
import { Slide } from './slide.tsx';
import { pixelsOf } from './use-lightbox.ts';
import type { LightboxState } from './use-lightbox.ts';
import { fit, FITTED } from './zoom.ts';
import type { Point } from './zoom.ts';

interface RowProps {
  lightbox: LightboxState;
  drag: Point;
  /** Where the picture at a place was on the page, if it is the one that was opened. */
  from: (place: number) => DOMRect | undefined;
}

/** The row of pictures, of which those beside the shown one are loaded as well. */
export function Row({ lightbox, drag, from }: RowProps) {
  const { pictures, index, older_count, viewport_size, is_placed, view, fitted } = lightbox;
  const side = pageDirection() === 'rtl' ? 1 : -1;
  // At the ends a swipe leads nowhere, which it shows by following less.
  const is_end = pictures[index + (drag.x * side > 0 ? 1 : -1)] === undefined;
  const x = is_end ? drag.x / 3 : drag.x;
  // Older pictures are added before the first place, so that none of the others moves.
  const transform = `translate(calc(${side * (index - older_count)} * (100% + var(--gap)) + ${x}px), ${drag.y}px)`;
  return (
    <div className="lightbox-row" style={{ transform }}>
      {pictures.map((picture, position) =>
        Math.abs(position - index) > 1 ? null : (
          <Slide
            key={`${position - older_count} ${picture.file.id}`}
            picture={picture}
            place={position - older_count}
            is_shown={position === index}
            fitted={!is_placed ? undefined : position === index ? fitted : fit(pixelsOf(picture), viewport_size)}
            view={position === index ? view : FITTED}
            from={from(position - older_count)}
          />
        ),
      )}
    </div>
  );
}
