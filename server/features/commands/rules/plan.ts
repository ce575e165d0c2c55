/** Plans: what a parsed command will do, as a sentence, and how it is executed. Planning has no effects. */
import type { Method } from '../../../kernel/caller.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Request } from '../../../kernel/services.ts';
import type { CommandName } from './grammar.ts';
import type { Parsed, Value } from './parse.ts';
import type { Named } from './read-targets.ts';
import { dateLocaleOf } from './time/describe-when.ts';
import { refuseName, resolveNamed, type Context, type Resolved } from './resolve.ts';

/** What a command would do, before it is done. */
export type Plan = {
  /** The normalised command. */
  arguments: Record<string, string | string[] | boolean>;
  preview: string;
  run(): Promise<unknown>;
  /** Values for the undo text that only the result contains. */
  resultArguments?(result: unknown): Record<string, string>;
};

/** Plans a command. @throws ApiError when it cannot be carried out */
export type Planner = (context: Context, parsed: Parsed) => Promise<Plan> | Plan;
/** The planners of some commands. */
export type Planners = Partial<Record<CommandName, Planner>>;

/** Runs an operation of the service as the caller. @throws ApiError what it refuses */
export async function runStep({ by }: Context, method: Method, path: string, request: Request = {}): Promise<unknown> {
  return (await by.change.services.operations.call(method, path, by, request)).body;
}

const valueOf = <T extends Value['type']>(
  { values }: Parsed,
  name: string,
  type: T,
): Extract<Value, { type: T }> | undefined => {
  const value = values[name];
  return value?.type === type ? (value as Extract<Value, { type: T }>) : undefined;
};

/** The text of an argument. */
export const textOf = (parsed: Parsed, name: string): string | undefined => valueOf(parsed, name, 'text')?.text;
/** The time of an argument. */
export const whenOf = (parsed: Parsed, name: string) => valueOf(parsed, name, 'time')?.when;
/** The duration of an argument. */
export const durationOf = (parsed: Parsed, name: string) => valueOf(parsed, name, 'duration')?.duration;
/** The command within a command. */
export const commandOf = (parsed: Parsed, name: string) => valueOf(parsed, name, 'command');
/** The people, tags, groups and telephones that an argument names. */
export const namedOf = (parsed: Parsed, name: string): Named[] => valueOf(parsed, name, 'named')?.named ?? [];

/** The target of a command. @throws ApiError `validation_failed`, Ambiguity */
export async function resolveOne(context: Context, parsed: Parsed, name: string): Promise<Resolved> {
  const [named] = namedOf(parsed, name);
  return named ? resolveNamed(context, named) : fail('validation_failed');
}

/**
 * The account that a command names.
 * @throws ApiError `validation_failed` also for targets without an account, Ambiguity
 */
export async function resolvePerson(
  context: Context,
  parsed: Parsed,
  name: string,
): Promise<Resolved & { user_id: string }> {
  return requirePerson(context, parsed, name, await resolveOne(context, parsed, name));
}

/** A resolved target that must be an account. @throws ApiError `validation_failed` */
export function requirePerson(
  context: Context,
  parsed: Parsed,
  name: string,
  one: Resolved,
): Resolved & { user_id: string } {
  const [named] = namedOf(parsed, name);
  const { user_id } = one;
  if (user_id === undefined)
    return refuseName(context, named ?? { start: 0, end: context.text.length }, 'is not someone with an account');
  return { ...one, user_id };
}

/** Joins names: A, B and C. */
export const listNames = ({ i18n }: Context, names: string[]): string =>
  new Intl.ListFormat(dateLocaleOf(i18n), { type: 'conjunction' }).format(names);
