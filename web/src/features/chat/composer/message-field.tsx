import { useId } from 'react';
import type { ClipboardEvent, FormEvent, KeyboardEvent, RefObject } from 'react';
import { MAX_LENGTH } from '../../../generated/lengths.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { pastedFiles } from '../../files/transferred-files.ts';
import type { Suggestion } from '../../autocomplete/choose-suggestions.ts';
import { formatByKey } from '../formatting/format-keys.ts';
import { AutocompleteArea } from '../../autocomplete/autocomplete-area.tsx';

/** Longer placeholders are cut on a phone; the head of the chat has the name as well. */
const MAX_HINT_LETTERS = 20;

const NOBODY: readonly Suggestion[] = [];

interface MessageFieldProps {
  /** Who can be mentioned. */
  people: readonly Suggestion[] | undefined;
  line: RefObject<HTMLTextAreaElement | null>;
  hint: string;
  text: string;
  /** Whether Enter starts a new line, as the key of a touch screen then says. */
  is_touch: boolean;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Attaches pasted files; undefined where files are not allowed. */
  onFiles: ((files: readonly File[]) => void) | undefined;
}

/** The field itself, which grows with its text. */
export function MessageField({ line, people, hint, text, is_touch, onType, onKeyDown, onFiles }: MessageFieldProps) {
  const id = useId();
  const onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0 || onFiles === undefined) return;
    event.preventDefault();
    onFiles(files);
  };
  const field = {
    ref: line,
    id,
    className: 'text-line',
    rows: 1,
    dir: 'auto',
    value: text,
    onInput: (event: FormEvent<HTMLTextAreaElement>) => onType(event.currentTarget.value),
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      if (!formatByKey(event)) onKeyDown(event);
    },
    onPaste,
    maxLength: MAX_LENGTH.message,
    enterKeyHint: is_touch ? 'enter' : 'send',
    placeholder: hint.length > MAX_HINT_LETTERS ? i18n.t('Message') : hint,
  } as const;
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {i18n.t('Message')}
      </label>
      <AutocompleteArea {...field} people={people ?? NOBODY} />
    </>
  );
}
