import { useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { insertText } from '../../ui/text/insert-text.ts';
import { findCompletion } from './find-completion.ts';
import type { Completion } from './find-completion.ts';
import { SuggestionList } from './suggestion-list.tsx';
import type { Suggestion } from './choose-suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';

type AreaProps = ComponentProps<'textarea'> & {
  /** Who can be mentioned, such as the members of a group; by default people and tags that the reader knows or finds. */
  people?: readonly Suggestion[];
};

const isSame = (one: Completion | undefined, other: Completion | undefined): boolean =>
  one?.from === other?.from && one?.q === other?.q && one?.to === other?.to;

/** What can be completed at the caret of a field, and which suggestion for it is selected. */
function useCompletion() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  /** Where the completion begins whose suggestions were closed: they stay closed. */
  const closed_at = useRef<number>(undefined);
  const close = () => {
    closed_at.current = completion?.from;
    setCompletion(undefined);
  };
  /** Reads the field after a change of its text or caret. */
  const look = (area: HTMLTextAreaElement) => {
    field.current = area;
    const { value, selectionStart, selectionEnd } = area;
    const typed = selectionStart === selectionEnd ? findCompletion(value, selectionStart) : undefined;
    if (typed?.from !== closed_at.current) closed_at.current = undefined;
    const next = closed_at.current === undefined ? typed : undefined;
    if (isSame(completion, next)) return;
    setCompletion(next);
    setChosen(0);
  };
  return { field, completion, chosen, setChosen, look, close, leave: () => setCompletion(undefined) };
}

/** The keys of an open list. @returns whether the key was for the list */
function handleKey(
  event: KeyboardEvent,
  suggestions: readonly Suggestion[],
  { chosen, setChosen }: ReturnType<typeof useCompletion>,
  take: (suggestion: Suggestion) => void,
): boolean {
  const { key, nativeEvent, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return false;
  const count = suggestions.length;
  const step = { ArrowDown: 1, ArrowUp: count - 1 }[key];
  const suggestion = suggestions[Math.min(chosen, count - 1)];
  if (step !== undefined) setChosen((chosen + step) % count);
  else if ((key === 'Enter' || key === 'Tab') && suggestion !== undefined) take(suggestion);
  else return false;
  event.preventDefault();
  return true;
}

/**
 * A field that suggests people after `@`, emoji after `:` and, without `people`, tags after `*` (the combobox pattern of
 * ARIA, while there are suggestions): the arrow keys select one, Enter or Tab takes it, and Escape closes the list.
 */
export function AutocompleteArea({ people, onInput, onKeyDown, onKeyUp, onClick, onBlur, ...area }: AreaProps) {
  const id = useId();
  const state = useCompletion();
  const { field, completion, chosen, look, close, leave } = state;
  const suggestions = useSuggestions(completion, people);
  const is_open = completion !== undefined && suggestions.length > 0;
  const take = ({ text }: Suggestion) => {
    if (completion === undefined || field.current === null) return;
    const has_space = field.current.value[completion.to] === ' ';
    insertText(field.current, has_space ? text : `${text} `, completion.from, completion.to);
    leave();
  };
  // Moving the caret opens no suggestions, only typing does.
  const follow = (element: HTMLTextAreaElement) => (completion === undefined ? undefined : look(element));
  const combobox = {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-activedescendant': `${id}-${Math.min(chosen, suggestions.length - 1)}`,
  } as const;
  return (
    <>
      <textarea
        {...area}
        {...(is_open ? combobox : {})}
        onInput={(event) => {
          onInput?.(event);
          look(event.currentTarget);
        }}
        onKeyDown={(event) => {
          if (is_open && handleKey(event, suggestions, state, take)) return;
          // Enter may send the text, of which nothing is completed any more.
          if (event.key === 'Enter') leave();
          onKeyDown?.(event);
        }}
        onKeyUp={(event) => {
          onKeyUp?.(event);
          follow(event.currentTarget);
        }}
        onClick={(event) => {
          onClick?.(event);
          follow(event.currentTarget);
        }}
        onBlur={(event) => {
          onBlur?.(event);
          leave();
        }}
      />
      {is_open ? (
        <SuggestionList
          id={id}
          field={field}
          suggestions={suggestions}
          chosen={Math.min(chosen, suggestions.length - 1)}
          onTake={take}
          onClose={close}
        />
      ) : null}
      <span className="visually-hidden" role="status">
        {is_open
          ? i18n.t('{count, plural, one {# suggestion} other {# suggestions}}', { count: suggestions.length })
          : ''}
      </span>
    </>
  );
}
