import { useEffect, useRef } from 'react';
import { i18n } from '../../../i18n/i18n.ts';

/** The keyboard shortcuts of a call, in the order of the list. */
export type CallKey = 'microphone' | 'camera' | 'talk' | 'hand' | 'chat' | 'leave' | 'keys';

/** The keyboard shortcuts of a call, and what they do. */
export const CALL_KEYS: readonly { key: CallKey; keys: readonly string[]; label: string }[] = [
  {
    key: 'microphone',
    keys: ['Ctrl', 'D'],
    get label() {
      return i18n.t('Mute or unmute');
    },
  },
  {
    key: 'camera',
    keys: ['Ctrl', 'E'],
    get label() {
      return i18n.t('Camera on or off');
    },
  },
  {
    key: 'talk',
    keys: ['Space'],
    get label() {
      return i18n.t('Hold to talk while muted');
    },
  },
  {
    key: 'hand',
    keys: ['Ctrl', 'Alt', 'H'],
    get label() {
      return i18n.t('Raise or lower your hand');
    },
  },
  {
    key: 'chat',
    keys: ['Ctrl', 'Alt', 'C'],
    get label() {
      return i18n.t('Show or hide the chat');
    },
  },
  {
    key: 'leave',
    keys: ['Ctrl', 'Shift', 'H'],
    get label() {
      return i18n.t('Leave the call');
    },
  },
  {
    key: 'keys',
    keys: ['Shift', '?'],
    get label() {
      return i18n.t('Show the shortcuts');
    },
  },
];

/**
 * Whether the focused element uses the key itself: a field any text, a button the space bar, unless it has the focus from
 * a click: whoever has clicked "Mute" and then holds the space bar would otherwise stay unmuted.
 */
function isTaken(event: KeyboardEvent, clicked: Element | undefined): boolean {
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (target === undefined || target === clicked) return false;
  return target.isContentEditable || target.closest('input, textarea, select, button, a, summary, [role]') !== null;
}

/** @param clicked the button that has the focus from a click */
function keyOf(event: KeyboardEvent, clicked: Element | undefined): CallKey | undefined {
  const is_command = event.ctrlKey || event.metaKey;
  if (is_command && event.altKey) return event.code === 'KeyC' ? 'chat' : event.code === 'KeyH' ? 'hand' : undefined;
  if (is_command && event.shiftKey) return event.code === 'KeyH' ? 'leave' : undefined;
  if (is_command) return event.code === 'KeyD' ? 'microphone' : event.code === 'KeyE' ? 'camera' : undefined;
  if (isTaken(event, clicked) || event.altKey) return undefined;
  return event.key === '?' ? 'keys' : event.code === 'Space' ? 'talk' : undefined;
}

/**
 * Listens for the shortcuts of a call.
 * @param action runs a shortcut; for `talk` once when pressed (`true`) and once when released (`false`)
 * @param can_talk whether the space bar is a shortcut; where it is none, it scrolls and presses buttons as usual
 */
export function useShortcuts(action: (key: CallKey, is_down: boolean) => void, can_talk: boolean): void {
  const latest = useRef({ action, can_talk });
  latest.current = { action, can_talk };
  useEffect(() => {
    let talks = false;
    let clicked: Element | undefined;
    const onPointer = ({ target }: PointerEvent) => {
      clicked = target instanceof Element ? (target.closest('button') ?? undefined) : undefined;
    };
    const onDown = (event: KeyboardEvent) => {
      if (event.key === 'Tab') clicked = undefined;
      const key = keyOf(event, clicked);
      if (key === undefined || (key === 'talk' && !latest.current.can_talk)) return;
      event.preventDefault();
      if (event.repeat || (key === 'talk' && talks)) return;
      talks ||= key === 'talk';
      latest.current.action(key, true);
    };
    const stop = () => {
      if (!talks) return;
      talks = false;
      latest.current.action('talk', false);
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || !talks) return;
      // Firefox presses a focused button with this event.
      event.preventDefault();
      stop();
    };
    addEventListener('pointerdown', onPointer, { capture: true });
    addEventListener('keydown', onDown);
    addEventListener('keyup', onUp);
    addEventListener('blur', stop);
    return () => {
      removeEventListener('pointerdown', onPointer, { capture: true });
      removeEventListener('keydown', onDown);
      removeEventListener('keyup', onUp);
      removeEventListener('blur', stop);
    };
  }, []);
}
