import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { TextPart } from '../../../ui/text/rich-text.tsx';
import { splitLinks } from '../../../ui/text/text-links.ts';
import type { ShownMessage } from '../chat-message.ts';
import { findContacts } from './find-contacts.ts';
import type { ContactPart } from './find-contacts.ts';
import { formatText } from '../../../ui/text/format-text.ts';
import type { Format, TextPiece } from '../../../ui/text/format-text.ts';
import './formatting.css';

type Mentions = ShownMessage['mentions'];

/** A tag as a link. Guests of a call have no pages of tags, and would leave the call. */
function TagLink({ text }: { text: string }): ReactNode {
  const is_signed_in = useMe() !== undefined;
  const mentions = is_signed_in ? [{ type: 'tag', text: text.toLowerCase(), id: '' } as const] : [];
  return <TextPart part={text} mentions={mentions} />;
}

/** Tags, and ways to reach somebody, as links. */
function Contact({ text, href, is_tag }: ContactPart): ReactNode {
  if (is_tag) return <TagLink text={text} />;
  if (href === undefined) return text;
  // What another program opens leaves no empty window.
  const target = href.startsWith('http') ? '_blank' : undefined;
  return (
    <a href={href} target={target} rel="noopener noreferrer nofollow ugc" dir="ltr">
      {text}
    </a>
  );
}

/** A text without formatting: names, tags, addresses and telephone numbers are links. */
function LinkedText({ text, mentions }: { text: string; mentions: Mentions }): ReactNode {
  const names = mentions.map((mention) => mention.text);
  return splitLinks(text, names).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
    <Fragment key={index}>
      {index % 2 === 1 ? (
        <TextPart part={part} mentions={mentions} />
      ) : (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        findContacts(part).map((contact, at) => <Contact key={at} {...contact} />)
      )}
    </Fragment>
  ));
}

/** A formatted part of a text. */
function Formatted({ format, children }: { format: Format; children: ReactNode }): ReactNode {
  switch (format) {
    case 'bold':
      return <strong>{children}</strong>;
    case 'italic':
      return <em>{children}</em>;
    case 'strike':
      return <s>{children}</s>;
    case 'code':
      return <code dir="ltr">{children}</code>;
    case 'block':
      return (
        <code className="block" dir="ltr">
          {children}
        </code>
      );
  }
}

interface PiecesProps {
  pieces: readonly TextPiece[];
  mentions: Mentions;
  /** Whether they are code, in which nothing is a link. */
  is_code?: boolean;
}

function Pieces({ pieces, mentions, is_code = false }: PiecesProps): ReactNode {
  return pieces.map((piece, index) => {
    if (typeof piece === 'string')
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
      return is_code ? piece : <LinkedText key={index} text={piece} mentions={mentions} />;
    const { format, pieces: inner } = piece;
    return (
      // oxlint-disable-next-line react/no-array-index-key -- as above
      <Formatted key={index} format={format}>
        <Pieces pieces={inner} mentions={mentions} is_code={format === 'code' || format === 'block'} />
      </Formatted>
    );
  });
}

/** The text of a message, as its author formatted it. */
export function MessageRichText({ body, mentions }: Pick<ShownMessage, 'body' | 'mentions'>) {
  return (
    <p className="rich-text" dir="auto">
      <Pieces pieces={formatText(body)} mentions={mentions} />
    </p>
  );
}
