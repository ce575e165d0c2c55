import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Left and right move the focus along a line of items in a menu, whose own keys are up and down. */
export function moveFocusInRow(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: line } = event;
  const step = STEPS[key];
  if (step === undefined) return;
  const items = [...line.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const from = items.findIndex((item) => item === document.activeElement);
  const is_reversed = getComputedStyle(line).direction === 'rtl';
  items[from + (is_reversed ? -step : step)]?.focus();
}
