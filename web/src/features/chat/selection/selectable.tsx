import { useEffect, useRef } from 'react';
import type { MouseEvent, PointerEvent, ReactNode } from 'react';
import { useLongPress } from '../../../ui/overlay/use-long-press.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { summarise } from '../formatting/summarise.ts';
import type { ShownMessage } from '../chat-message.ts';

/** Beside the bubble, and not in it. */
const isBeside = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('.msg-line, .pick');

/** Begins a selection with a press beside a message: a long one on a touch screen, and a click with Ctrl or Cmd. */
function usePressBeside(onSelect: (() => void) | undefined, is_selecting: boolean) {
  const hold = useLongPress(() => onSelect?.());
  if (onSelect === undefined) return {};
  return {
    // The release of the press with which the selection began comes after it.
    ...hold,
    onPointerDown: (event: PointerEvent) => {
      if (!is_selecting && isBeside(event.target)) hold.onPointerDown(event);
    },
    onContextMenu: (event: MouseEvent) => {
      const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
      if (!is_selecting && isBeside(event.target) && pointerType === 'touch') hold.onContextMenu(event);
    },
    onClick: (event: MouseEvent) => {
      if (!is_selecting && (event.ctrlKey || event.metaKey) && isBeside(event.target)) onSelect();
    },
  };
}

interface CheckboxProps {
  message: ShownMessage;
  is_selected: boolean;
  /** Whether the selection began here. */
  is_first: boolean;
  onToggle: (message_id: string) => void;
}

/** A checkbox over the whole row of a message, which says what is in it: the message itself is inert. */
function SelectionCheckbox({ message, is_selected, is_first, onToggle }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (is_first) box.current?.focus({ preventScroll: true });
    // Only once: later the reader moves the focus.
  }, []);
  const words = summarise(message);
  const { mine, by } = message;
  return (
    <label className="pick-label">
      <input
        ref={box}
        type="checkbox"
        className="choice"
        checked={is_selected}
        aria-label={
          mine ? i18n.t('You: {words}', { words }) : i18n.t('{name}: {words}', { name: by?.name ?? '', words })
        }
        onChange={() => onToggle(message.id)}
      />
    </label>
  );
}

interface SelectableProps {
  message: ShownMessage;
  /** Begins a selection; undefined where there is none, and for what cannot be selected. */
  onSelect: (() => void) | undefined;
  /** Whether messages are being selected. */
  is_selecting: boolean;
  is_selected: boolean;
  is_first: boolean;
  onToggle: ((message_id: string) => void) | undefined;
  children: ReactNode;
}

/** A message that can be selected: while messages are, nothing in it can be pressed. */
export function Selectable({
  message,
  onSelect,
  is_selecting,
  is_selected,
  is_first,
  onToggle,
  children,
}: SelectableProps) {
  const press = usePressBeside(onSelect, is_selecting);
  return (
    <div className="pick" data-on={is_selecting ? '' : undefined} data-picked={is_selected ? '' : undefined} {...press}>
      <div inert={is_selecting}>{children}</div>
      {is_selecting && onSelect !== undefined && onToggle !== undefined ? (
        <SelectionCheckbox message={message} is_selected={is_selected} is_first={is_first} onToggle={onToggle} />
      ) : null}
    </div>
  );
}
