import { ChevronLeft, ChevronRight } from 'lucide-react';
import { i18n } from '../../../i18n/i18n.ts';
import type { Rect } from './arrange-tiles.ts';

interface StagePagesProps {
  page: number;
  page_count: number;
  /** Where the pages are on the stage. */
  area: Rect;
  /** Where the middle of the buttons is. */
  row_y: number;
  onPage: (page: number) => void;
}

/** Buttons at both sides of an area whose tiles have several pages. */
export function StagePages({ page, page_count, area, row_y, onPage }: StagePagesProps) {
  if (page_count < 2) return null;
  const values = { page: page + 1, count: page_count };
  return (
    <div
      className="stage-pages"
      role="group"
      aria-label={i18n.t('Page {page} of {count}', values)}
      style={{
        insetInlineStart: area.x,
        top: area.y,
        width: area.width,
        height: area.height,
        ['--row' as string]: `${row_y - area.y}px`,
      }}
    >
      <button type="button" className="icon-button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Previous people')}</span>
      </button>
      <button type="button" className="icon-button" disabled={page === page_count - 1} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('More people')}</span>
      </button>
      <p className="stage-page" aria-live="polite">
        {i18n.t('{page} / {count}', values)}
      </p>
    </div>
  );
}
