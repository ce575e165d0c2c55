import { useEffect } from 'react';
import { pageDirection } from '../../i18n/page-direction.ts';
import { addDays, today } from './days.ts';

interface KeyOptions {
  day: string;
  onDay: (day: string) => void;
  onNew: () => void;
  /** Whether an overlay has the keyboard. */
  is_off: boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const TAKES_KEYS =
  'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=combobox]';

/** Arrow keys change the day, T goes to today, N creates an event. */
export function useCalendarKeys({ day, onDay, onNew, is_off }: KeyOptions): void {
  useEffect(() => {
    if (is_off) return;
    const onKey = (event: KeyboardEvent) => {
      const has_modifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (event.defaultPrevented || has_modifier) return;
      if (event.target instanceof Element && event.target.closest(TAKES_KEYS) !== null) return;
      const step = STEPS[event.key];
      // Left and right follow the reading direction.
      const is_turned = pageDirection() === 'rtl' && Math.abs(step ?? 0) === 1;
      if (step !== undefined) onDay(addDays(day, is_turned ? -step : step));
      else if (event.key === 't') onDay(today());
      else if (event.key === 'n') onNew();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [day, onDay, onNew, is_off]);
}
