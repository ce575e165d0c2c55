/** Controls that JSON does not escape, and what changes the direction of a text: what people wrote could move the cursor. */
const controls = /[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** A value as JSON that is safe to print to a terminal. */
export function formatForTerminal(value: unknown): string {
  const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replaceAll(controls, escape);
}
