/** Far more than a message has room for: the page cuts it. */
const MAX_LETTERS = 20_000;

/** The texts of a share as one: apps repeat the title or the address in the text, or put the address there alone. */
export function joinTexts(texts: readonly string[]): string {
  const said = texts.map((text) => text.trim()).filter((text) => text !== '');
  const isIn = (at: number) =>
    said.some((other, place) => place !== at && (other !== said[at] ? other.includes(said[at] ?? '') : place < at));
  return said
    .filter((_, at) => !isIn(at))
    .join('\n')
    .slice(0, MAX_LETTERS);
}
