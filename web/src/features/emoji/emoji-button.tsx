import { Smile } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { insertText } from '../../ui/text/insert-text.ts';
import { EmojiPicker } from './lazy-picker.ts';

/** Inserts an emoji into a field. Not shown on phones, whose keyboards have emoji. */
export function EmojiButton({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const button = useRef<HTMLButtonElement>(null);
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button emoji-button"
        aria-haspopup="dialog"
        aria-expanded={is_open}
        title={i18n.t('Emoji')}
        onClick={() => setOpen(!is_open)}
      >
        <Smile aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Emoji')}</span>
      </button>
      {is_open ? (
        <Suspense fallback={null}>
          <EmojiPicker
            anchor={button}
            side="top"
            returnTo={field}
            onChoose={(emoji) => {
              if (field.current !== null) insertText(field.current, emoji);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
