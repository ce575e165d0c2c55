import { useEffect, useRef } from 'react';
import { i18n } from '../../../i18n/i18n.ts';

/** The keyboard shortcuts of a call, in the order of the list. */
export type CallKey = 'microphone' | 'camera' | 'talk' | 'chat' | 'leave' | 'keys';

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

/** Whether the focused element uses the key itself: a field any text, a button the space bar. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  if (target === undefined) return false;
  return target.isContentEditable || target.closest('input, textarea, select, button, a, summary, [role]') !== null;
}

function keyOf(event: KeyboardEvent): CallKey | undefined {
  const is_command = event.ctrlKey || event.metaKey;
  if (is_command && event.altKey) return event.code === 'KeyC' ? 'chat' : undefined;
  if (is_command && event.shiftKey) return event.code === 'KeyH' ? 'leave' : undefined;
  if (is_command) return event.code === 'KeyD' ? 'microphone' : event.code === 'KeyE' ? 'camera' : undefined;
  if (isTaken(event) || event.altKey) return undefined;
  return event.key === '?' ? 'keys' : event.code === 'Space' ? 'talk' : undefined;
}

/**
 * Listens for the shortcuts of a call.
 * @param action runs a shortcut; for `talk` once when pressed (`true`) and once when released (`false`)
 */
export function useShortcuts(action: (key: CallKey, is_down: boolean) => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    let talks = false;
    const onDown = (event: KeyboardEvent) => {
      const key = keyOf(event);
      if (key === undefined) return;
      event.preventDefault();
      if (event.repeat || (key === 'talk' && talks)) return;
      talks ||= key === 'talk';
      latest.current(key, true);
    };
    const stop = () => {
      if (!talks) return;
      talks = false;
      latest.current('talk', false);
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.code === 'Space') stop();
    };
    addEventListener('keydown', onDown);
    addEventListener('keyup', onUp);
    addEventListener('blur', stop);
    return () => {
      removeEventListener('keydown', onDown);
      removeEventListener('keyup', onUp);
      removeEventListener('blur', stop);
    };
  }, []);
}
