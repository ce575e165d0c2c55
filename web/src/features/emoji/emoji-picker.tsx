import { EmojiPicker as Parts, getEmojiDetails, useActiveEmoji, useSkinTone } from 'frimousse';
import type { Emoji } from 'frimousse';
import { Popover } from 'radix-ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ComponentProps, RefObject } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { animateLeave } from '../../ui/overlay/dismiss/animate-leave.ts';
import { useMe } from '../../data/queries/me-query.ts';
import { readRecent, readTone, storeRecent, storeTone } from './emoji-choices.ts';
import type { ChosenEmoji } from './emoji-choices.ts';
import { loadEmoji } from './emoji-data.ts';
import './emoji.css';

const COLUMNS = 8;

interface EmojiPickerProps {
  /** The element beside which it opens. */
  anchor: RefObject<HTMLElement | null>;
  side: 'top' | 'bottom';
  /** The element that gets the focus when the picker is closed, unless something else was pressed. */
  returnTo: RefObject<HTMLElement | null>;
  onChoose: (emoji: string) => void;
  onClose: () => void;
}

interface RecentProps {
  user_id: string;
  onChoose: (emoji: ChosenEmoji) => void;
}

/** The emoji that were chosen last, in one row. */
function Recent({ user_id, onChoose }: RecentProps) {
  const recent = readRecent(user_id);
  if (recent.length === 0) return null;
  return (
    <div className="emoji-recent" role="group" aria-label={i18n.t('Recently used')}>
      {recent.map((one) => (
        <button key={one.emoji} type="button" aria-label={one.label} onClick={() => onChoose(one)}>
          {one.emoji}
        </button>
      ))}
    </div>
  );
}

/** A button that selects the next skin tone. */
function ToneButton({ user_id }: { user_id: string }) {
  const [tone] = useSkinTone();
  useEffect(() => storeTone(user_id, tone), [user_id, tone]);
  return <Parts.SkinToneSelector className="icon-button" aria-label={i18n.t('Change skin tone')} />;
}

/** The library counts rows and columns from 0, and ARIA from 1. */
const fromOne = (index: number | undefined) => (index === undefined ? undefined : index + 1);

const PARTS: ComponentProps<typeof Parts.List>['components'] = {
  CategoryHeader: ({ category, ...header }) => (
    <div {...header} className="emoji-category" dir="auto">
      {category.label}
    </div>
  ),
  Row: ({ 'aria-rowindex': index, ...row }) => <div {...row} aria-rowindex={fromOne(index)} />,
  Emoji: ({ emoji, 'aria-colindex': index, ...button }) => (
    <button type="button" {...button} aria-colindex={fromOne(index)} title={emoji.label}>
      {emoji.emoji}
    </button>
  ),
};

/** Whether the name of an emoji, or a word for it, contains a searched text. */
function isFoundBy(text: string, { emoji }: Emoji): boolean {
  const details = getEmojiDetails(emoji, { locale: i18n.locale, resolveEmojiData: loadEmoji });
  const searched = text.trim().toLowerCase();
  return [details?.label, ...(details?.tags ?? [])].some((name) => name?.toLowerCase().includes(searched));
}

/** The field of the search. The results follow a moment after what is typed, and Enter waits for them. */
function SearchField({ onChoose }: Pick<RecentProps, 'onChoose'>) {
  const active = useActiveEmoji();
  const [entered, setEntered] = useState<string>();
  useEffect(() => {
    if (entered !== undefined && active && isFoundBy(entered, active)) onChoose(active);
  }, [entered, active, onChoose]);
  return (
    <Parts.Search
      className="text-line"
      aria-label={i18n.t('Search emoji')}
      placeholder={i18n.t('Search emoji')}
      onChange={() => setEntered(undefined)}
      // The picker itself would choose the first result of what was typed before.
      onKeyDown={(event) => {
        const text = event.currentTarget.value;
        if (event.key !== 'Enter' || text.trim() === '' || (active && isFoundBy(text, active))) return;
        event.preventDefault();
        setEntered(text);
      }}
    />
  );
}

/** All emoji, searchable by their names in the reader's language. */
function Grid({ user_id, onChoose }: RecentProps) {
  return (
    <Parts.Root
      className="emoji-parts"
      columns={COLUMNS}
      locale={i18n.locale}
      resolveEmojiData={loadEmoji}
      skinTone={readTone(user_id)}
      onEmojiSelect={({ emoji, label }: Emoji) => onChoose({ emoji, label })}
    >
      <div className="emoji-head">
        <SearchField onChoose={onChoose} />
        <ToneButton user_id={user_id} />
      </div>
      <Recent user_id={user_id} onChoose={onChoose} />
      {/* Emoji stand in the same order in all languages, and the arrow keys follow it. */}
      <Parts.Viewport className="emoji-view" dir="ltr">
        <Parts.Loading className="emoji-note">{i18n.t('Loading…')}</Parts.Loading>
        <Parts.Empty className="emoji-note">{i18n.t('No emoji found.')}</Parts.Empty>
        <Parts.List components={PARTS} aria-label={i18n.t('Emoji')} />
      </Parts.Viewport>
    </Parts.Root>
  );
}

/** A layer with all emoji. It closes with a choice, with Escape, or with a press elsewhere. */
export function EmojiPicker({ anchor, side, returnTo, onChoose, onClose }: EmojiPickerProps) {
  const user_id = useMe()?.id ?? '';
  const content = useRef<HTMLDivElement>(null);
  const shown = useCallback((layer: HTMLDivElement | null) => {
    content.current = layer;
    return animateLeave(layer);
  }, []);
  const is_left = useRef(false);
  const choose = (chosen: ChosenEmoji) => {
    storeRecent(user_id, chosen);
    onChoose(chosen.emoji);
    onClose();
  };
  return (
    <Popover.Root open onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          ref={shown}
          className="menu emoji-picker"
          aria-label={i18n.t('Emoji')}
          side={side}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          onOpenAutoFocus={(event) => {
            // On a touch screen, the focus in the search field would open the keyboard over the picker.
            if (matchMedia('(hover: hover)').matches) return;
            event.preventDefault();
            content.current?.focus();
          }}
          onInteractOutside={(event) => {
            // The button handles its own press, which closes the picker.
            if (event.target instanceof Node && anchor.current?.contains(event.target)) event.preventDefault();
            else is_left.current = true;
          }}
          onEscapeKeyDown={(event) => event.stopPropagation()}
          // A sheet keeps the document behind it from scrolling, to which this layer does not belong.
          onWheel={(event) => event.stopPropagation()}
          onTouchMove={(event) => event.stopPropagation()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!is_left.current) returnTo.current?.focus();
          }}
        >
          <Grid user_id={user_id} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
