/** From a text to a plan: parses it, resolves its targets, and describes what will be done. Has no effects. */
import { fail, refusalText } from '../../../kernel/errors.ts';
import type { Operations } from '../../../kernel/services.ts';
import { availableGrammar, presentCommand } from './guide.ts';
import type { ArgumentType } from './grammar.ts';
import { parseCommand, type Parsed } from './parse.ts';
import { end_of_text, type ParseFailure } from './parse-failure.ts';
import { people_planners } from './people-planners.ts';
import { namedOf, type Plan, type Planner, type Planners } from './plan.ts';
import { scheduling_planners } from './scheduling-planners.ts';
import type { TimeContext } from './time/resolve-time.ts';
import { spanOf, type Context } from './resolve.ts';
import { suggest } from './suggest.ts';
import { contact_planners } from './contact-planners.ts';

const max_expected = 30;

const help: Planner = ({ by, i18n }, parsed): Plan => {
  const [named] = namedOf(parsed, 'command');
  const grammar = availableGrammar(by.change.services.operations);
  const word = named?.text.toLowerCase();
  const some = word === undefined ? grammar : grammar.filter(({ command }) => command.name.split(' ').includes(word));
  const listed = some.length > 0 ? some : grammar;
  return {
    arguments: word === undefined ? {} : { command: word },
    preview: i18n.t('List all commands.'),
    run: async () => ({ items: listed.map((one) => presentCommand(one, i18n)), has_more: false }),
  };
};

const planners: Planners = { ...contact_planners, ...people_planners, ...scheduling_planners, help };

/**
 * Parses a text with the available commands.
 * @throws ApiError `validation_failed` with the position where parsing failed
 */
export function understand(text: string, operations: Operations, when: TimeContext): Parsed {
  const grammar = availableGrammar(operations);
  const result = parseCommand(text, grammar, when);
  if ('parsed' in result) return result.parsed;
  const { at, end, expected } = result.failure;
  fail('validation_failed', {
    fields: { text: describeFailure(text, result.failure) },
    members: {
      span: spanOf(text, at, end),
      expected: expected.slice(0, max_expected),
      suggestions: suggest(text, grammar, when),
    },
  });
}

/** The name of each kind of argument in a sentence. */
const names_of_kinds: Record<ArgumentType | typeof end_of_text, string> = {
  target: refusalText('a recipient'),
  targets: refusalText('recipients'),
  person: refusalText('a person'),
  tag: refusalText('a tag'),
  group: refusalText('a group'),
  text: refusalText('a text'),
  name: refusalText('a name'),
  address: refusalText('an address'),
  time: refusalText('a time'),
  duration: refusalText('a duration'),
  job: refusalText('a scheduled message'),
  command: refusalText('a command'),
  word: refusalText('a word'),
  [end_of_text]: refusalText('nothing more'),
};

function describeFailure(text: string, { at, end, expected, words }: ParseFailure): string {
  const word = text.slice(at, end).slice(0, 60);
  const few = expected.length <= 4 ? expected : [];
  // Words of the grammar are English in every language, and therefore quoted.
  const names = few.map((one) => (words.has(one) ? `“${one}”` : names_of_kinds[one as ArgumentType]));
  const alternatives = names.join(' or ');
  if (word === '') return refusalText(few.length > 0 ? `is not complete: expected ${alternatives}` : 'is not complete');
  return refusalText(
    few.length > 0 ? `is not understood from “${word}”: expected ${alternatives}` : `is not understood from “${word}”`,
  );
}

/** Plans a command. @throws ApiError for an unknown target, Ambiguity */
export async function planCommand(context: Context, parsed: Parsed): Promise<Plan> {
  const planner = planners[parsed.name] ?? fail('not_found');
  return planner(context, parsed);
}

/** The text that undoes a command: its form of the grammar, filled in. Undefined without one. */
export function undoOf(operations: Operations, name: string, values: Record<string, unknown>): string | undefined {
  const template = availableGrammar(operations).find(({ command }) => command.name === name)?.command.undo;
  if (template === undefined) return undefined;
  let is_whole = true;
  const text = template.replace(/\{(\w+)\}/g, (_all, key: string) => {
    const value = values[key];
    if (typeof value !== 'string') is_whole = false;
    return String(value);
  });
  return is_whole ? text : undefined;
}
