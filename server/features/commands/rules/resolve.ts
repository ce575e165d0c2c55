/** Whom a command names: looked for among what the caller may see, so that no answer tells of anybody else. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { requireContact } from '../../../domain/contacts/contacts.ts';
import type { CallTarget } from '../../../domain/calls/callees.ts';
import { ApiError, fail, found, refusalText } from '../../../kernel/errors.ts';
import type { InProcess } from '../../../kernel/services.ts';
import { selectBlocked, selectCandidates, selectTag, selectUser, type Candidate } from '../queries.ts';
import type { Named } from './parse.ts';

/** A command on its way: its text, who gives it and in which language they are answered, and whether a guess was confirmed. */
export type Context = { text: string; by: InProcess; timezone: string; is_confirmed: boolean; i18n: I18n };

/** Somebody or something that a command names, found. */
export type Resolved = {
  /** How a command names it so that nothing else can be meant. */
  exact: string;
  label: string;
  target: CallTarget;
  /** The account, where it is one. */
  user_id: string | undefined;
  tag_id?: string;
  contact_id?: string;
  /** What is left of the text, when the name took more words than its first. */
  rest?: string;
};

/** Several may be meant: each as a whole command that is exact. */
export class Ambiguity extends Error {
  readonly suggestions: string[];
  readonly names: string[];
  constructor(suggestions: string[], names: string[]) {
    super('several may be meant');
    this.suggestions = suggestions;
    this.names = names;
  }
}

/** Asks which one is meant. */
export const sayAmbiguity = (i18n: I18n, { names }: Ambiguity): string =>
  i18n.t('Say which one you mean: {names}.', { names: names.join(', ') });

/** A place in a text, in code points. */
export const spanOf = (text: string, start: number, end: number): [number, number] => {
  const before = Array.from(text.slice(0, start)).length;
  return [before, before + Array.from(text.slice(start, end)).length];
};

/** A name behind which there is nobody for the caller. */
class NobodyNamed extends ApiError {}

/** A command was understood, and whom or what it names is not there for the caller. */
export const namesInVain = (error: unknown): error is ApiError =>
  error instanceof NobodyNamed || (error instanceof ApiError && error.code === 'not_found');

/** Says that what a command names is not there, alike for all that it can name. */
export const sayInVain = (i18n: I18n): string => i18n.t('What is named here does not exist.');

/** Refuses a name behind which there is nobody for the caller, or not what is wanted. @throws ApiError `validation_failed` */
export function refuseName(
  { text }: Pick<Context, 'text'>,
  { start, end }: Pick<Named, 'start' | 'end'>,
  why?: string,
): never {
  const expected = ['*tag', '@username', 'contact', 'group', 'number'];
  const members = { span: spanOf(text, start, end), expected, suggestions: [] };
  if (why !== undefined) fail('validation_failed', { fields: { text: why }, members });
  throw new NobodyNamed('validation_failed', {
    fields: { text: refusalText('is not someone you can reach') },
    members,
  });
}

/** @throws ApiError `validation_failed` for nobody; Ambiguity for several */
export async function resolveNamed(context: Context, named: Named): Promise<Resolved> {
  const { caller, change } = context.by;
  const { db, now } = change;
  if (named.kind === 'phone')
    return { exact: named.text, label: named.text, target: { phone: named.text }, user_id: undefined };
  if (named.kind === 'tag') {
    const tag = (await selectTag(db, caller.user_id, named.text, now)) ?? refuseName(context, named);
    const target = { tag: tag.name };
    return { exact: `*${tag.name}`, label: `*${tag.name}`, target, user_id: tag.owner_id, tag_id: tag.id };
  }
  if (named.kind === 'user') return resolveUser(context, { username: named.text }, named);
  if (named.kind === 'name') return resolveName(context, named);
  if (named.text.startsWith('usr_')) return resolveUser(context, { id: named.text }, named);
  const kind = named.text.startsWith('con_') ? 'contact' : 'group';
  return resolveCandidate(context, { kind, id: named.text, name: named.text }, named);
}

async function resolveUser(
  context: Context,
  which: { id: string } | { username: string },
  named: Named,
): Promise<Resolved> {
  const { caller, change } = context.by;
  const user = (await selectUser(change.db, caller.user_id, which)) ?? refuseName(context, named);
  const exact = `@${user.username}`;
  return { exact, label: exact, target: { user_id: user.id }, user_id: user.id };
}

/** Somebody whom the caller has blocked. @throws ApiError `not_found` */
export async function resolveBlocked({ by }: Context, named: Named): Promise<{ id: string; exact: string }> {
  const { db } = by.change;
  const { text, kind } = named;
  const which =
    kind === 'tag' ? { tag: text } : text.startsWith('usr_') ? { id: text } : { username: text.toLowerCase() };
  const user = found(await selectBlocked(db, by.caller.user_id, which));
  return { id: user.id, exact: `@${user.username}` };
}

/** A name: the longest that is one of the caller's own, and only a whole one is exact. */
async function resolveName(context: Context, named: Extract<Named, { kind: 'name' }>): Promise<Resolved> {
  const { caller, change } = context.by;
  const asked = [{ text: named.text, rest: undefined }, ...named.longer].toReversed();
  const fold = (text: string) => text.toLowerCase();
  const all = await selectCandidates(
    change.db,
    caller.user_id,
    asked.map(({ text }) => fold(text)),
  );
  for (const is_whole of [true, false]) {
    for (const { text, rest } of asked) {
      const some = all.filter((one) => one.asked === fold(text) && one.is_whole === is_whole);
      const [only] = some;
      if (!only) continue;
      if (some.length > 1 || (!is_whole && !context.is_confirmed)) throw ambiguous(context, some, named, text.length);
      const resolved = await resolveCandidate(context, only, named);
      return rest === undefined ? resolved : { ...resolved, rest };
    }
  }
  return resolveBareWord(context, named);
}

/** A bare word that is the name of a user or a tag may be meant as that: it is asked. */
async function resolveBareWord(context: Context, named: Extract<Named, { kind: 'name' }>): Promise<Resolved> {
  const { caller, change } = context.by;
  const word = named.text.toLowerCase();
  const user = await selectUser(change.db, caller.user_id, { username: word });
  const tag = await selectTag(change.db, caller.user_id, word, change.now);
  const options = [...(user ? [`@${user.username}`] : []), ...(tag ? [`*${tag.name}`] : [])];
  const [only] = options;
  if (!only) refuseName(context, named);
  if (options.length > 1 || !context.is_confirmed) throw offer(context, options, named, named.text.length);
  return resolveNamed(context, { ...named, kind: user ? 'user' : 'tag', text: word });
}

function ambiguous(context: Context, some: Candidate[], named: Named, length: number): Ambiguity {
  const count = (name: string) => some.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length;
  const exacts = some.map(({ id, name }) => (count(name) > 1 ? id : quote(name, id)));
  return offer(context, exacts, named, length);
}

function offer({ text }: Context, exacts: string[], named: Named, length: number): Ambiguity {
  const end = named.kind === 'name' && named.longer.length > 0 ? named.start + length : named.end;
  return new Ambiguity(
    exacts.map((exact) => text.slice(0, named.start) + exact + text.slice(end)),
    exacts,
  );
}

/** A name in quotes; by its identifier where it has quotes itself. */
const quote = (name: string, id: string): string => (/["“”]/.test(name) ? id : `"${name}"`);

async function resolveCandidate(
  context: Context,
  { kind, id, name }: Pick<Candidate, 'kind' | 'id' | 'name'>,
  named: Named,
): Promise<Resolved> {
  const { caller, change } = context.by;
  const exact = name === id ? id : quote(name, id);
  if (kind === 'group') return { exact, label: name, target: { group_id: id }, user_id: undefined };
  const contact = await requireContact(change.db, id, caller.user_id).catch(() => refuseName(context, named));
  return { exact, label: contact.name, target: { contact_id: id }, user_id: contact.user?.id, contact_id: id };
}
