/**
 * The formatting that people write in messages: `**bold**`, `_italic_`, `~~struck through~~`, `` `code` `` and blocks of
 * code between three backticks, as Discord and Telegram read it (a part of CommonMark). One asterisk begins the name of a tag.
 */

export type Format = 'bold' | 'italic' | 'strike' | 'code' | 'block';

/** A part of a text: as it is, or formatted. What is in code is not formatted further. */
export type TextPiece = string | { readonly format: Format; readonly pieces: readonly TextPiece[] };

const formats: Readonly<Record<string, Format>> = {
  '**': 'bold',
  _: 'italic',
  '~~': 'strike',
  '`': 'code',
  '```': 'block',
};

/** Marks, and web addresses, whose characters are not marks. */
const TOKENS = /(https?:\/\/\S+|```|`|\*{2,}|~{2,}|_+)/giu;
const IS_WORD = /[\p{L}\p{N}]/u;
const IS_SPACE = /^\s*$/u;

interface Token {
  readonly text: string;
  readonly format: Format | undefined;
  /** Whether a formatted part may begin or end here: beside the text, and not within a word. */
  readonly opens: boolean;
  readonly closes: boolean;
}

const isCode = (format: Format): boolean => format === 'code' || format === 'block';

function tokensOf(text: string): Token[] {
  const parts = text.split(TOKENS);
  return parts.map((part, index) => {
    const format = index % 2 === 1 ? formats[part] : undefined;
    if (format === undefined) return { text: part, format, opens: false, closes: false };
    const before = (parts[index - 1] ?? '') || (parts[index - 2] ?? '');
    const after = (parts[index + 1] ?? '') || (parts[index + 2] ?? '');
    const [last, first] = [before.at(-1) ?? '', after[0] ?? ''];
    if (isCode(format)) return { text: part, format, opens: true, closes: true };
    return {
      text: part,
      format,
      opens: !IS_WORD.test(last) && !IS_SPACE.test(first),
      closes: !IS_WORD.test(first) && !IS_SPACE.test(last),
    };
  });
}

/** Where each kind of mark may end, in turn. */
type Ends = Map<Format, number[]>;

function endsOf(tokens: readonly Token[]): Ends {
  const ends: Ends = new Map();
  for (const [at, { format, closes }] of tokens.entries()) {
    if (format === undefined || !closes) continue;
    const known = ends.get(format);
    if (known === undefined) ends.set(format, [at]);
    else known.push(at);
  }
  return ends;
}

const textOf = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join('');

/** Appends a text to the pieces, joined with the text before it. A block of code already ends its line. */
function addText(pieces: TextPiece[], text: string): void {
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else if (text !== '') pieces.push(last?.format === 'block' ? text.replace(/^\n/, '') : text);
}

/** A range of tokens, and the formats that it is in: each is used once only, so that the depth is limited. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly inside: readonly Format[];
}

function piecesOf(tokens: readonly Token[], ends: Ends, { from, to, inside }: Range): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let at = from; at < to; at++) {
    const { text, format, opens } = tokens[at] as Token;
    const may_open = format !== undefined && opens && !inside.includes(format);
    const end = may_open ? ends.get(format)?.find((one) => one > at && one < to) : undefined;
    const within = end === undefined ? '' : textOf(tokens, at + 1, end);
    if (format === undefined || end === undefined || within === '') addText(pieces, text);
    else {
      const range = { from: at + 1, to: end, inside: [...inside, format] };
      pieces.push({ format, pieces: isCode(format) ? [codeOf(within)] : piecesOf(tokens, ends, range) });
      at = end;
    }
  }
  return pieces;
}

/** The text of code, without the line breaks beside its marks. */
const codeOf = (text: string): string => text.replace(/^\n/, '').replace(/\n$/, '');

/** The pieces of a text in turn. */
export function formatText(text: string): TextPiece[] {
  const tokens = tokensOf(text);
  return piecesOf(tokens, endsOf(tokens), { from: 0, to: tokens.length, inside: [] });
}

/** A text without the marks of its formatting, for where it is shown as one line. */
export function plainText(text: string): string {
  const plain = (pieces: readonly TextPiece[]): string =>
    pieces
      .map((one) => (typeof one === 'string' ? one : `${plain(one.pieces)}${one.format === 'block' ? '\n' : ''}`))
      .join('');
  return plain(formatText(text));
}
