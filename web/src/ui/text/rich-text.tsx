import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useListBeside } from '../hooks/use-list-beside.ts';
import { groupTokenOf, shownAddress, splitLinks } from './text-links.ts';
import './rich-text.css';

/** A name in a text that the service has resolved. */
export interface Mention {
  /** With its sigil, folded: `@ada`, `*jazz`. */
  readonly text: string;
  readonly type: 'user' | 'tag';
  readonly id: string;
  /** Whether it is the reader, which is marked. */
  readonly is_reader?: boolean;
}

/** One part of a text: a name or an address as a link. */
export function TextPart({ part, mentions }: { part: string; mentions: readonly Mention[] }): ReactNode {
  const beside = useListBeside();
  const mention = mentions.find(({ text }) => text === part.toLowerCase());
  if (mention?.type === 'tag') {
    return (
      <Link to="/t/$name" params={{ name: mention.text.slice(1) }} state={beside} className="mention">
        {part}
      </Link>
    );
  }
  if (mention?.type === 'user') {
    return (
      <Link
        to="/u/$userId"
        params={{ userId: mention.id }}
        state={beside}
        className={mention.is_reader ? 'mention own' : 'mention'}
      >
        {part}
      </Link>
    );
  }
  const address = shownAddress(part);
  if (address === undefined) return part;
  const token = groupTokenOf(part, location.origin);
  if (token !== undefined) {
    return (
      <Link to="/join-group/$token" params={{ token }} dir="ltr">
        {address}
      </Link>
    );
  }
  return (
    <a href={part} target="_blank" rel="noopener noreferrer nofollow ugc" dir="ltr">
      {address}
    </a>
  );
}

/** A text with its names and web addresses as links. */
export function RichText({ text, mentions }: { text: string; mentions: readonly Mention[] }) {
  const parts = splitLinks(
    text,
    mentions.map((mention) => mention.text),
  );
  return (
    <p className="rich-text" dir="auto">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
        <Fragment key={index}>{index % 2 === 1 ? <TextPart part={part} mentions={mentions} /> : part}</Fragment>
      ))}
    </p>
  );
}
