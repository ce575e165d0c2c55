import type { Person } from '@asterism/sdk';
import type { ComponentProps, ReactNode } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { RichText } from '../../ui/text/rich-text.tsx';
import { When } from '../../ui/when.tsx';
import './statuses.css';

interface ResponseItemProps {
  response: { author: Person; body: string; created_at: string } & Pick<ComponentProps<typeof RichText>, 'mentions'>;
  /** The author's name, which may be a link. */
  author: ReactNode;
  /** The deletion of the text; undefined where the reader may not delete it. */
  deletion?: { label: string; question: string; onDelete: () => void } | undefined;
  /** A menu of further actions. */
  menu: ReactNode;
}

/** A short text of one person on a page, a reply to a status or a comment on a profile, as a list item. */
export function ResponseItem({ response, author, deletion, menu }: ResponseItemProps) {
  return (
    <li className="reply">
      <Avatar
        name={response.author.username}
        called={nameOf(response.author)}
        url={response.author.avatar_url}
        size_px={32}
      />
      <div className="list-main">
        <p>
          {author} <When at={response.created_at} is_short />
        </p>
        <RichText text={response.body} mentions={response.mentions} />
        {deletion ? (
          <Confirm
            trigger={
              <button type="button" className="text-button" aria-label={deletion.label}>
                {i18n.t('Delete')}
              </button>
            }
            title={deletion.question}
            text={i18n.t('This can’t be undone.')}
            action={i18n.t('Delete')}
            onConfirm={deletion.onDelete}
          />
        ) : null}
      </div>
      {menu}
    </li>
  );
}
