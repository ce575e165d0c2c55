/**
 * Replaces a range of a field's text, by default its selection, as if the text had been typed: it can be undone, and
 * the field reports its input. A text for which there is no room is left out.
 */
export function insertText(
  field: HTMLTextAreaElement,
  text: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  field.focus();
  if (field.maxLength >= 0 && field.value.length - (to - from) + text.length > field.maxLength) return;
  field.setSelectionRange(from, to);
  // Deprecated, but nothing else keeps the history of a field.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}
