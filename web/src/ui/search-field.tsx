import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { i18n } from '../i18n/i18n.ts';
import { MAX_LENGTH } from '../generated/lengths.ts';

interface SearchLineProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  autoFocus?: boolean;
  maxLength?: number;
}

/** A search field; Escape or its button empties it. */
export function SearchField({
  label,
  text,
  onText,
  autoFocus = false,
  maxLength = MAX_LENGTH.message_search,
}: SearchLineProps) {
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) line.current?.focus();
  }, [autoFocus]);
  return (
    <div role="search" className="search list-search">
      <Search aria-hidden="true" size={18} />
      <input
        ref={line}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        dir="auto"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxLength}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          event.stopPropagation();
          onText('');
        }}
      />
      {text === '' ? null : (
        <button
          type="button"
          className="icon-button"
          onClick={() => {
            onText('');
            line.current?.focus();
          }}
        >
          <X aria-hidden="true" size={18} />
          <span className="visually-hidden">{i18n.t('Clear the search')}</span>
        </button>
      )}
    </div>
  );
}
