import type { ComponentProps } from 'react';

interface ChipProps extends ComponentProps<'button'> {
  /** Whether a filter is on; undefined for a chip that opens something. */
  pressed?: boolean;
  look?: 'line' | 'star';
}

const LOOKS = {
  get line() {
    return 'chip line';
  },
  get star() {
    return 'chip star-chip';
  },
} as const;

/**
 * A small pill: a filter, or a button that opens a menu or a sheet. Several are grouped in an element of class `chips`.
 */
export function Chip({ pressed, look, ...button }: ChipProps) {
  return (
    <button type="button" className={look === undefined ? 'chip' : LOOKS[look]} aria-pressed={pressed} {...button} />
  );
}
