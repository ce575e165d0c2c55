import { useEffect, useRef } from 'react';
import { describeProblem } from './problems/problem.ts';
import { i18n } from '../i18n/i18n.ts';
import './more.css';

interface Growing {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** The end of a list, which loads more when it is scrolled near; also a button, for those who do not scroll. */
export function More({ list, what }: { list: Growing; what: string }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    const place = end.current;
    // After a failure only the reader retries, so that the page does not do so in a loop.
    if (place === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) void fetchNextPage();
      },
      { rootMargin: '600px' },
    );
    observer.observe(place);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="more">
      {isFetchNextPageError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      <button
        type="button"
        className="button quiet"
        aria-disabled={isFetchingNextPage}
        onClick={() => {
          if (!isFetchingNextPage) void fetchNextPage();
        }}
      >
        {isFetchingNextPage ? i18n.t('Loading more…') : i18n.t('More {what}', { what })}
      </button>
    </div>
  );
}
