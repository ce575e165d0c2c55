import { useInfiniteQuery } from '@tanstack/react-query';
import type { Reply } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { TagName } from '../../ui/brand.tsx';
import { describeProblem } from '../../ui/problem.ts';

type Tag = Reply<'tags', 'getTag'>;

const VISIBLE_TO: Readonly<Record<Tag['visibility'], string>> = {
  public: 'Public',
  unlisted: 'Unlisted',
  private: 'Private',
};

function describeFollowers(count: number): string {
  return count === 1 ? '1 follower' : `${count} followers`;
}

/** The reader's own tags, newest first. */
export function YourTags() {
  const tags = useInfiniteQuery({
    queryKey: ['tags'],
    queryFn: ({ pageParam, signal }) =>
      sdk.tags.listTags({ query: pageParam === undefined ? {} : { before_id: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? page.items.at(-1)?.id : undefined),
  });
  if (tags.isPending) return <p className="soft">Fetching your tags…</p>;
  if (tags.isError) return <p className="field-error">{describeProblem(tags.error)}</p>;
  const items = tags.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return <p className="soft">You have none yet. A tag is how people reach you: make one below and share it.</p>;
  }
  return (
    <>
      <ul className="list">
        {items.map((tag) => (
          <li key={tag.id}>
            <div className="list-main">
              <TagName name={tag.name} />
              {tag.title ? <p className="soft small">{tag.title}</p> : null}
            </div>
            <span className="soft small">{describeFollowers(tag.follower_count)}</span>
            <span className="chip">{VISIBLE_TO[tag.visibility]}</span>
          </li>
        ))}
      </ul>
      {tags.hasNextPage ? (
        <button
          type="button"
          className="button button-quiet"
          disabled={tags.isFetchingNextPage}
          onClick={() => void tags.fetchNextPage()}
        >
          Show more
        </button>
      ) : null}
    </>
  );
}
