import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { TextPart } from '../../../ui/rich-text.tsx';
import { splitLinks } from '../../../ui/text/text-links.ts';
import type { ShownMessage } from '../chat-message.ts';
import { findContacts } from './find-contacts.ts';

/** A part of a message without names and web addresses, in which ways to reach somebody are links. */
const linkContacts = (text: string): ReactNode =>
  findContacts(text).map((part, index) =>
    part.href === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      // What another program opens leaves no empty window.
      <a
        // oxlint-disable-next-line react/no-array-index-key -- as above
        key={index}
        href={part.href}
        target={part.href.startsWith('http') ? '_blank' : undefined}
        rel="noopener noreferrer nofollow ugc"
        dir="ltr"
      >
        {part.text}
      </a>
    ),
  );

/** The text of a message: names, addresses and telephone numbers are links. */
export function MessageRichText({ body, mentions }: Pick<ShownMessage, 'body' | 'mentions'>) {
  const parts = splitLinks(
    body,
    mentions.map((mention) => mention.text),
  );
  return (
    <p className="rich-text" dir="auto">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other key than their position
        <Fragment key={index}>
          {index % 2 === 1 ? <TextPart part={part} mentions={mentions} /> : linkContacts(part)}
        </Fragment>
      ))}
    </p>
  );
}
