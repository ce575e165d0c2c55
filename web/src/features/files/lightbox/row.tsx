import { pageDirection } from '../../../i18n/page-direction.ts';
import type { LightboxPicture } from './pictures.ts';
import { Slide } from './slide.tsx';
import { pixelsOf } from './use-shown.ts';
import type { useShown } from './use-shown.ts';
import { fit, FITTED } from './zoom.ts';
import type { Point } from './zoom.ts';

interface RowProps {
  shown: ReturnType<typeof useShown>;
  pictures: readonly LightboxPicture[];
  drag: Point;
  from: (position: number) => DOMRect | undefined;
}

/** The row of pictures, of which those beside the shown one are loaded as well. */
export function Row({ shown, pictures, drag, from }: RowProps) {
  const { index, space, is_placed, view, fitted } = shown;
  const side = pageDirection() === 'rtl' ? 1 : -1;
  // At the ends a swipe leads nowhere, which it shows by following less.
  const is_end = pictures[index + (drag.x * side > 0 ? 1 : -1)] === undefined;
  const x = is_end ? drag.x / 3 : drag.x;
  const transform = `translate(calc(${side * index} * (100% + var(--gap)) + ${x}px), ${drag.y}px)`;
  return (
    <div className="lightbox-row" style={{ transform }}>
      {pictures.map((picture, position) =>
        Math.abs(position - index) > 1 ? null : (
          <Slide
            key={position}
            picture={picture}
            position={position}
            is_shown={position === index}
            fitted={!is_placed ? undefined : position === index ? fitted : fit(pixelsOf(picture), space)}
            view={position === index ? view : FITTED}
            from={from(position)}
          />
        ),
      )}
    </div>
  );
}
