/** vCards (RFC 2426 and RFC 6350): parses a text into cards and their properties. */
import ICAL from 'ical.js';
import { default_limits } from '../load/limits.ts';

/** One property of a card. */
export type CardProperty = {
  /** The property name in lower case, without its group. */
  name: string;
  /** The group that related properties of a card share, such as `item1`. */
  group: string | undefined;
  params: Record<string, string[]>;
  /** The value, or the components of a structured or list value. */
  values: string[];
};

/** Unreadable cards. Its message completes a sentence about the file. */
export class CardError extends Error {}

/** `photo` is the picture embedded in the card, in Base64; empty without one. */
export type Card = { version: string; properties: CardProperty[]; photo: string };

/** The versions of the format that can be read. */
export const card_versions = ['3.0', '4.0'];

const { import_columns, import_value_length } = default_limits;

/** An embedded picture: by its encoding (RFC 2426, section 3.1.4), or as a `data:` URI (RFC 6350, section 6.2.4). */
const photos = [
  /^(?:[\w-]+\.)?photo(?=;)(?=[^:]*;encoding=b(?:ase64)?[;:])[^:]*:(.+)$/i,
  /^(?:[\w-]+\.)?photo[^:]*:data:image\/[a-z+.-]+;base64,(.+)$/i,
];

function photoOf(line: string): string {
  const found = photos.map((shape) => shape.exec(line)?.[1]).find((one) => one !== undefined);
  return found !== undefined && /^[A-Za-z0-9+/=\s]+$/.test(found) ? found : '';
}

/** Large properties that contacts do not use. Photos are extracted separately, since the parser has no use for them. */
const passed_over = /^(?:[\w-]+\.)?(?:photo|logo|sound|key)[;:]/i;

/**
 * Reads the cards of a text one by one. An invalid line is skipped and the rest of the card is read. Of a card with a
 * version other than 3.0 and 4.0 only the version is returned.
 * @throws CardError when properties or values exceed the import limits
 */
export function* readCards(text: string): Generator<Card> {
  let lines: string[] | undefined;
  let depth = 0;
  let photo = '';
  for (const line of unfold(text)) {
    if (/^begin:vcard\s*$/i.test(line)) {
      if (depth === 0) [lines, photo] = [[], ''];
      depth += 1;
    } else if (/^end:vcard\s*$/i.test(line) && depth > 0) {
      depth -= 1;
      if (depth === 0 && lines) yield { ...readCard(lines), photo };
    } else if (depth === 1 && photo === '' && /^(?:[\w-]+\.)?photo[;:]/i.test(line)) {
      photo = photoOf(line);
    } else if (depth === 1 && line !== '' && !passed_over.test(line)) {
      lines?.push(requireBounded(line));
      if (lines && lines.length > import_columns)
        throw new CardError(`has more than ${import_columns} lines in a card`);
    }
  }
}

function requireBounded(line: string): string {
  if (line.length <= import_value_length) return line;
  throw new CardError(`has a line of more than ${import_value_length} characters`);
}

/** Lines that end with CR LF, or with one of the two. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

/** Unfolded lines (RFC 6350, section 3.2). */
function* unfold(text: string): Generator<string> {
  let held = '';
  for (const bare of linesOf(text)) {
    if (/^[ \t]/.test(bare)) {
      held += bare.slice(1);
      continue;
    }
    yield held;
    held = bare;
  }
  yield held;
}

function readCard(lines: string[]): Omit<Card, 'photo'> {
  const version = /^version:\s*([\d.]+)/i.exec(lines.find((line) => /^version:/i.test(line)) ?? '')?.[1] ?? '';
  if (!card_versions.includes(version)) return { version, properties: [] };
  const whole = parse(version, lines);
  if (whole) return { version, properties: whole };
  return { version, properties: lines.flatMap((line) => parse(version, [line]) ?? []) };
}

/** Structured properties, which the parser splits. */
const structured: ReadonlySet<string> = new Set(['n', 'adr', 'org']);

/** The parser leaves `\;` unchanged in text of version 3.0, where it means `;` (RFC 2426, section 4). */
const unescapeSemicolons = (version: string, name: string, text: string) =>
  version === '3.0' && !structured.has(name) ? text.replaceAll(String.raw`\;`, ';') : text;

type Property = [name: string, params: Record<string, string | string[]>, type: string, ...values: unknown[]];

/** The properties of some lines, or undefined when one of them is invalid. */
function parse(version: string, lines: string[]): CardProperty[] | undefined {
  const rest = lines.filter((line) => !/^version:/i.test(line));
  try {
    const card = ICAL.parse(['BEGIN:VCARD', `VERSION:${version}`, ...rest, 'END:VCARD'].join('\r\n')) as [
      string,
      Property[],
    ];
    const named = card[1].filter(([name]) => name !== 'version');
    return named.map(([name, params, _type, ...values]) => {
      const { group, ...others } = params;
      return {
        name,
        group: typeof group === 'string' ? group.toLowerCase() : undefined,
        params: Object.fromEntries(Object.entries(others).map(([key, value]) => [key, [value].flat()])),
        values: values.flat().map((value) => unescapeSemicolons(version, name, [value].flat().join(' '))),
      };
    });
  } catch {
    return undefined;
  }
}
