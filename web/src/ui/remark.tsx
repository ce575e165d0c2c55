import type { Person } from '@asterism/sdk';
import type { ComponentProps, ReactNode } from 'react';
import { i18n } from '../i18n/i18n.ts';
import { Avatar, nameOf } from './avatar.tsx';
import { Confirm } from './overlay/confirm.tsx';
import { RichText } from './rich-text.tsx';
import { When } from './when.tsx';

interface RemarkProps {
  remark: { author: Person; body: string; created_at: string } & Pick<ComponentProps<typeof RichText>, 'mentions'>;
  /** The author's name, which may be a link. */
  author: ReactNode;
  /** The deletion of the text; undefined where the reader may not delete it. */
  deletion?: { label: string; question: string; onDelete: () => void } | undefined;
  /** A menu of further actions. */
  menu: ReactNode;
}

/** A short text of one person on a page, such as a reply or a comment, as a list item. */
export function Remark({ remark, author, deletion, menu }: RemarkProps) {
  return (
    <li className="reply">
      <Avatar
        name={remark.author.username}
        called={nameOf(remark.author)}
        url={remark.author.avatar_url}
        size_px={32}
      />
      <div className="list-main">
        <p>
          {author} <When at={remark.created_at} />
        </p>
        <RichText text={remark.body} mentions={remark.mentions} />
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
