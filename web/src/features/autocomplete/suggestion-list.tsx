import { Popover } from 'radix-ui';
import type { RefObject } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { animateLeave } from '../../ui/overlay/dismiss/animate-leave.ts';
import './autocomplete.css';
import type { Suggestion } from './choose-suggestions.ts';

interface OptionProps {
  suggestion: Suggestion;
}

interface SuggestionListProps {
  /** The identifier of the list; an option's has its number at the end. */
  id: string;
  field: RefObject<HTMLTextAreaElement | null>;
  suggestions: readonly Suggestion[];
  chosen: number;
  onTake: (suggestion: Suggestion) => void;
  onClose: () => void;
}

function Picture({ suggestion: { kind, text, title, person } }: OptionProps) {
  if (person !== undefined)
    return <Avatar name={person.username} called={title} url={person.avatar_url} size_px={32} />;
  if (kind === 'tag') return <TagSky name={text.slice(1)} size_px={32} />;
  return (
    <span className="suggested-emoji" aria-hidden="true">
      {text}
    </span>
  );
}

function Option({ suggestion }: OptionProps) {
  const { kind, text, title } = suggestion;
  return (
    <>
      <Picture suggestion={suggestion} />
      <span className="body">
        <b className="cut" dir="auto">
          {title === '' ? text : title}
        </b>
        {kind === 'emoji' || title === '' || title === text.slice(1) ? null : (
          <span className="cut soft small">
            <bdi>{text}</bdi>
          </span>
        )}
      </span>
    </>
  );
}

/** The suggestions at a field, which keeps the focus; Escape closes only them. */
export function SuggestionList({ id, field, suggestions, chosen, onTake, onClose }: SuggestionListProps) {
  return (
    <Popover.Root open onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={field as RefObject<HTMLTextAreaElement>} />
      <Popover.Portal>
        <Popover.Content
          ref={animateLeave}
          role={undefined}
          className="menu suggestions"
          align="start"
          sideOffset={4}
          collisionPadding={12}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => event.stopPropagation()}
        >
          <ul role="listbox" id={id} aria-label={i18n.t('Suggestions')}>
            {suggestions.map((one, at) => (
              <li
                key={one.text}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === chosen}
                className="menu-item"
                data-highlighted={at === chosen ? '' : undefined}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onTake(one)}
              >
                <Option suggestion={one} />
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
