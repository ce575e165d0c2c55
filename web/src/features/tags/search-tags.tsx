import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Tag } from '@asterism/sdk';
import { useDeferredValue, useId } from 'react';
import { Phone } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { FollowButton } from '../follows/follow-button.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { foundTagsKey } from '../../data/queries/tag-queries.ts';

function Result({ tag }: { tag: Tag }) {
  const id = useId();
  const start = useStartCall();
  const beside = useListBeside();
  return (
    <li aria-labelledby={id} className="result">
      <TagSky name={tag.name} />
      <div className="list-main">
        <p id={id}>
          <Link to="/t/$name" params={{ name: tag.name }} state={beside} className="tag-link">
            <TagName name={tag.name} />
          </Link>
        </p>
        <p className="soft small" dir="auto">
          {tag.title || nameOf(tag.owner)}
        </p>
      </div>
      <div className="cluster">
        <FollowButton tag={tag} />
        {tag.is_mine ? null : (
          <button
            type="button"
            className="button quiet"
            aria-describedby={id}
            disabled={start.isPending}
            onClick={() => start.mutate([{ tag: tag.name }])}
          >
            <Phone aria-hidden="true" />
            {i18n.t('Call')}
          </button>
        )}
      </div>
    </li>
  );
}

function Results({ q, has_others }: { q: string; has_others: boolean }) {
  const found = useInfiniteQuery({
    queryKey: foundTagsKey('page', q),
    queryFn: ({ pageParam, signal }) => sdk.tags.searchTags({ query: { q, offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) =>
      page.has_more ? pages.reduce((sum, { items }) => sum + items.length, 0) : undefined,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  if (found.isPending) return <p className="soft">{i18n.t('Searching…')}</p>;
  if (found.isError) return <Failure text={describeProblem(found.error)} onRetry={() => void found.refetch()} />;
  const tags = found.data.pages.flatMap(({ items }) => items);
  if (tags.length === 0 && has_others) return null;
  if (tags.length === 0)
    return <EmptyState title={i18n.t('No results')} text={i18n.t('No person or public tag matches “{q}”.', { q })} />;
  return (
    <>
      <ul className="list">
        {tags.map((tag) => (
          <Result key={tag.id} tag={tag} />
        ))}
      </ul>
      <More list={found} what={i18n.t('tags')} />
    </>
  );
}

interface SearchTagsProps {
  text: string;
  onText: (text: string) => void;
  autoFocus?: boolean;
  /** Whether there are other results: then the absence of tags is not mentioned. */
  has_others?: boolean;
}

/** Searches public tags and their owners while typing; each result has buttons to follow and call it. */
export function SearchTags({ text, onText, autoFocus = false, has_others = false }: SearchTagsProps) {
  const q = useDeferredValue(text.trim().replace(/^\*/, ''));
  return (
    <div className="stack">
      <SearchField
        label={i18n.t('Search people and tags')}
        text={text}
        onText={onText}
        maxLength={MAX_LENGTH.tag_search}
        autoFocus={autoFocus}
      />
      <div aria-live="polite">{q === '' ? null : <Results q={q} has_others={has_others} />}</div>
    </div>
  );
}
