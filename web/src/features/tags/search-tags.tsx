import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { Phone, Search } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand.tsx';
import { TextField } from '../../ui/form.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { useStartCall } from '../calls/start-call.ts';

function Results({ q }: { q: string }) {
  const id = useId();
  const start = useStartCall();
  const found = useQuery({
    queryKey: ['tag-search', q],
    queryFn: ({ signal }) => sdk.tags.searchTags({ query: { q }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  if (found.isPending) return <p className="soft">Searching…</p>;
  if (found.isError) return <p className="field-error">{describeProblem(found.error)}</p>;
  if (found.data.items.length === 0) return <p className="soft">No public tag is near “{q}”.</p>;
  return (
    <ul className="list">
      {found.data.items.map((tag) => (
        <li key={tag.id} aria-labelledby={`${id}-${tag.id}`}>
          <Avatar name={tag.owner.username} url={tag.owner.avatar_url} />
          <div className="list-main">
            <p id={`${id}-${tag.id}`}>
              <TagName name={tag.name} />
            </p>
            <p className="soft small">{tag.title || nameOf(tag.owner)}</p>
          </div>
          {tag.is_mine ? (
            <span className="chip">Yours</span>
          ) : (
            <button
              type="button"
              className="button"
              aria-describedby={`${id}-${tag.id}`}
              disabled={start.isPending}
              onClick={() => start.mutate([{ tag: tag.name }])}
            >
              <Phone aria-hidden="true" />
              Call
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Finds public tags while one types, each one tap away from a call. */
export function SearchTags() {
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim().replace(/^\*/, ''));
  return (
    <div role="search" className="stack">
      <TextField
        label="Search tags"
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        prefix={<Search aria-hidden="true" size={18} />}
        placeholder="a name or a topic"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
      />
      <div aria-live="polite">{q === '' ? null : <Results q={q} />}</div>
    </div>
  );
}
