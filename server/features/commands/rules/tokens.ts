/** Tokenises a command: words, quoted texts and punctuation, each with its position. */

/** A word, a quoted text or a punctuation mark. */
export type Token = {
  /** As typed, without quotes. */
  text: string;
  /** In lower case, for comparing. */
  folded: string;
  /** Positions in UTF-16 units of the whole text. */
  start: number;
  end: number;
  quoted: boolean;
};

const pattern = /"([^"]*)"|“([^“”]*)”|(,)|([^\s,"“]+)/g;

/** Splits a text into tokens; commas, and a colon at the end of a word, are separate tokens. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, straight, curly, , word] = match;
    const start = match.index;
    const quoted = straight ?? curly;
    if (quoted !== undefined) {
      tokens.push({
        text: quoted.trim(),
        folded: quoted.trim().toLowerCase(),
        start,
        end: start + whole.length,
        quoted: true,
      });
    } else if (word !== undefined && word.length > 1 && word.endsWith(':')) {
      const end = start + word.length - 1;
      tokens.push(createToken(word.slice(0, -1), start, end), createToken(':', end, end + 1));
    } else tokens.push(createToken(whole, start, start + whole.length));
  }
  return tokens;
}

const createToken = (text: string, start: number, end: number): Token => ({
  text,
  folded: text.toLowerCase().replaceAll('’', "'"),
  start,
  end,
  quoted: false,
});
