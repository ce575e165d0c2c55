/** Suggestions for a text that cannot be parsed: at most three complete commands. */
import type { CompiledCommand } from './forms.ts';
import { wordsOf } from './forms.ts';
import { parseCommand } from './parse.ts';
import type { TimeContext } from './time/resolve-time.ts';
import { tokenise, type Token } from './tokens.ts';

/** The maximum of suggested commands. */
export const max_suggestions = 3;
/** Longer texts are not corrected; examples are suggested instead. */
const max_characters = 300;
/** Only the first words are compared with the grammar. */
const max_words = 12;

type Grammar = readonly CompiledCommand[];
type Found = { text: string; cost: number };

/** Complete texts that can be parsed, nearest first. */
export function suggest(text: string, grammar: Grammar, context: TimeContext): string[] {
  const tokens = tokenise(text);
  const found: Found[] = [];
  const seen = new Set<string>();
  const names = new Set<string>();
  const offer = (corrected: string, cost: number) => {
    const candidate = corrected.trim();
    if (seen.has(candidate)) return;
    seen.add(candidate);
    const result = parseCommand(candidate, grammar, context);
    if ('parsed' in result) found.push({ text: candidate, cost });
  };
  if (text.length <= max_characters) for (const one of corrections(text, tokens, grammar)) offer(one.text, one.cost);
  const nearest = found.toSorted((a, b) => a.cost - b.cost);
  const suggestions: string[] = [];
  for (const one of nearest) {
    const name = commandOf(one.text, grammar, context);
    // One text per command: several ways to write the same command would not help.
    if (name === undefined || names.has(name) || suggestions.length === max_suggestions) continue;
    names.add(name);
    suggestions.push(one.text);
  }
  for (const { command } of nearestCommands(tokens, grammar)) {
    if (suggestions.length === max_suggestions) break;
    const [example] = command.examples;
    if (example && !names.has(command.name)) suggestions.push(example);
  }
  return suggestions;
}

function commandOf(text: string, grammar: Grammar, context: TimeContext): string | undefined {
  const result = parseCommand(text, grammar, context);
  return 'parsed' in result ? result.parsed.name : undefined;
}

/** The text with one word corrected, split, or joined with the next. */
function* corrections(text: string, tokens: readonly Token[], grammar: Grammar): Generator<Found> {
  const words = wordsOf(grammar);
  const put = (from: Token, to: Token, word: string) => text.slice(0, from.start) + word + text.slice(to.end);
  for (const [at, token] of tokens.slice(0, max_words).entries()) {
    if (token.quoted) continue;
    for (const word of words) {
      const cost = distance(token.folded, word);
      if (cost > 0 && cost <= (word.length < 4 ? 1 : 2)) yield { text: put(token, token, word), cost: cost + at / 100 };
      if (token.folded.startsWith(word) && token.folded !== word)
        yield { text: put(token, token, `${word} ${token.text.slice(word.length)}`), cost: 1 + at / 100 };
      if (token.folded.endsWith(word) && token.folded !== word)
        yield { text: put(token, token, `${token.text.slice(0, -word.length)} ${word}`), cost: 1.1 + at / 100 };
    }
    const next = tokens[at + 1];
    if (next) {
      for (const word of words) {
        const joined = token.folded + next.folded;
        const cost = distance(joined, word);
        if (cost <= 1) yield { text: put(token, next, word), cost: 1 + cost + at / 100 };
        // The space is one letter too early or too late.
        if (joined.startsWith(word) && joined.length > word.length && Math.abs(word.length - token.folded.length) === 1)
          yield {
            text: put(token, next, `${word} ${(token.text + next.text).slice(word.length)}`),
            cost: 1.2 + at / 100,
          };
      }
    }
    // Without its verb a text may be another command: "schedule text Bob hi" must not become "text Bob hi".
    const is_verb = at === 0 && words.includes(token.folded);
    const end = tokens[at + 1]?.start ?? token.end;
    if (!is_verb) yield { text: text.slice(0, token.start) + text.slice(end), cost: 1.5 + at / 100 };
  }
}

/** Commands by the similarity of a text's beginning to one of their forms. */
function nearestCommands(tokens: readonly Token[], grammar: Grammar): CompiledCommand[] {
  const typed = tokens.slice(0, 3).map(({ folded }) => folded);
  const nearness = ({ forms }: CompiledCommand) =>
    Math.min(
      ...forms.map((form) => {
        const heads = form.slice(0, 3).flatMap((part) => ('word' in part && !part.optional ? [part.word] : []));
        const [head = ''] = heads;
        const others = heads.slice(1).filter((word) => typed.includes(word)).length;
        return Math.min(...typed.slice(0, 1).map((word) => distance(word.slice(0, 20), head)), 9) - others;
      }),
    );
  return grammar
    .map((one) => ({ one, at: nearness(one) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/**
 * The edit distance of two words: insertions, deletions, substitutions and transpositions (optimal string alignment).
 */
export function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 3) return 4;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = one[i - 1] === other[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
