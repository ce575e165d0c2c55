import type { KeyboardEvent } from 'react';
import { insertText } from '../../../ui/text/insert-text.ts';

/** The marks by the keys that set them, pressed with Ctrl or Command; Shift is written before its key. */
const MARKS: Readonly<Record<string, string>> = { b: '**', i: '_', e: '`', 'shift x': '~~' };

/**
 * Formats what is selected in a field, or removes that formatting: Ctrl+B for bold, Ctrl+I for italic, Ctrl+E for code,
 * Ctrl+Shift+X for struck through. It can be undone as typing can.
 * @returns whether the key was one of these
 */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if ((!event.ctrlKey && !event.metaKey) || event.altKey) return false;
  const mark = MARKS[`${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`];
  if (mark === undefined) return false;
  event.preventDefault();
  const field = event.currentTarget;
  const { selectionStart: from, selectionEnd: to, value } = field;
  const chosen = value.slice(from, to);
  const { length } = mark;
  const is_marked = value.slice(from - length, from) === mark && value.slice(to, to + length) === mark;
  if (is_marked) insertText(field, chosen, from - length, to + length);
  else insertText(field, `${mark}${chosen}${mark}`);
  const start = is_marked ? from - length : from + length;
  field.setSelectionRange(start, start + chosen.length);
  return true;
}
