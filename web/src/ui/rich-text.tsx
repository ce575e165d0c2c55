import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useListBeside } from './hooks/use-list-beside.ts';

/** A name in a text that the service has resolved. */
export interface Mention {
  /** With its sigil, folded: `@ada`, `*jazz`. */
  readonly text: string;
  readonly type: 'user' | 'tag';
  readonly id: string;
  /** Whether it is the reader, which is marked. */
  readonly is_reader?: boolean;
}

const ADDRESS = String.raw`https?:\/\/[^\s<>"]*[^\s<>".,:;!?)\]]`;

/** The pattern of linked parts: the resolved names, longest first, and web addresses. */
function patternOf(mentions: readonly Mention[]): RegExp {
  const names = mentions
    .map(({ text }) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .sort((one, other) => other.length - one.length)
    .map((name) => String.raw`(?<![\p{L}\p{N}_@*/.-])${name}(?![\p{L}\p{N}_-])`);
  return new RegExp(`(${[ADDRESS, ...names].join('|')})`, 'giu');
}

/** One part of a text: a name or an address as a link. */
function Part({ part, mentions }: { part: string; mentions: readonly Mention[] }): ReactNode {
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
  if (!/^https?:/i.test(part)) return part;
  return (
    <a href={part} target="_blank" rel="noopener noreferrer nofollow ugc">
      {part.replace(/^https?:\/\//i, '')}
    </a>
  );
}

/** A text with its names and web addresses as links. */
export function RichText({ text, mentions }: { text: string; mentions: readonly Mention[] }) {
  const parts = text.split(patternOf(mentions));
  return (
    <p className="rich-text" dir="auto">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
        <Fragment key={index}>{index % 2 === 1 ? <Part part={part} mentions={mentions} /> : part}</Fragment>
      ))}
    </p>
  );
}
