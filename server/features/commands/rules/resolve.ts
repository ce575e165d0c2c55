/** Resolves the targets of a command among what the caller may see, so that no answer reveals anybody else. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { requireContact } from '../../../domain/contacts/contacts.ts';
import type { CallTarget } from '../../../domain/calls/start/callees.ts';
import { ApiError, fail, found, refusalText } from '../../../kernel/errors.ts';
import type { InProcessContext } from '../../../kernel/services.ts';
import { selectBlocked, selectCandidates, selectTag, selectUser, type Candidate } from '../queries.ts';
import type { Named } from './read-targets.ts';

/** A command in progress: its text, its caller and their language, and whether a guess was confirmed. */
export type Context = { text: string; by: InProcessContext; timezone: string; is_confirmed: boolean; i18n: I18n };

/** A resolved target. */
export type Resolved = {
  /** Its unambiguous form in a command. */
  exact: string;
  label: string;
  target: CallTarget;
  /** The account, if it is one. */
  user_id: string | undefined;
  tag_id?: string;
  contact_id?: string;
  /** The rest of the text, when the name consists of more than its first word. */
  rest?: string;
};

/** Candidates, or one that was only guessed: each as a complete, unambiguous command. */
export class Ambiguity extends Error {
  readonly suggestions: string[];
  readonly names: string[];
  constructor(suggestions: string[], names: string[]) {
    super('several may be meant');
    this.suggestions = suggestions;
    this.names = names;
  }
}

/** Asks which one is meant, or whether the only one is. */
export function describeAmbiguity(i18n: I18n, { names }: Ambiguity): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return i18n.t('Did you mean {name}?', { name: first });
  return i18n.t('Say which one you mean: {names}.', { names: names.join(', ') });
}

/** A position in a text, in code points. */
export const spanOf = (text: string, start: number, end: number): [number, number] => {
  const before = Array.from(text.slice(0, start)).length;
  return [before, before + Array.from(text.slice(start, end)).length];
};

/** A name that does not resolve to anybody whom the caller can reach. */
class UnresolvedName extends ApiError {}

/** Whether a command was understood, and what it names does not exist for the caller. */
export const isUnresolved = (error: unknown): error is ApiError =>
  error instanceof UnresolvedName || (error instanceof ApiError && error.code === 'not_found');

/** The preview of such a command: the same for everything that it can name. */
export const describeUnresolved = (i18n: I18n): string => i18n.t('Nothing with that name was found.');

/** Refuses a name that the caller cannot resolve. @throws ApiError `validation_failed` */
export function refuseName(
  { text }: Pick<Context, 'text'>,
  { start, end }: Pick<Named, 'start' | 'end'>,
  why?: string,
): never {
  const expected = ['*tag', '@username', 'contact', 'group', 'number'];
  const members = { span: spanOf(text, start, end), expected, suggestions: [] };
  if (why !== undefined) fail('validation_failed', { fields: { text: why }, members });
  throw new UnresolvedName('validation_failed', {
    fields: { text: refusalText('is not someone you can reach') },
    members,
  });
}

/** @throws ApiError `validation_failed` without candidates; Ambiguity with several */
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
  const { caller, change, consume } = context.by;
  const found_user = await selectUser(change.db, caller.user_id, which);
  // A guess costs as much as a search for a person.
  if ('username' in which && !found_user?.is_known) await consume('person_search', caller.user_id);
  const user = found_user ?? refuseName(context, named);
  const exact = `@${user.username}`;
  return { exact, label: exact, target: { user_id: user.id }, user_id: user.id };
}

/** A user whom the caller has blocked. @throws ApiError `not_found` */
export async function resolveBlocked({ by }: Context, named: Named): Promise<{ id: string; exact: string }> {
  const { db } = by.change;
  const { text, kind } = named;
  const which =
    kind === 'tag' ? { tag: text } : text.startsWith('usr_') ? { id: text } : { username: text.toLowerCase() };
  const user = found(await selectBlocked(db, by.caller.user_id, which));
  return { id: user.id, exact: `@${user.username}` };
}

/** A name for comparison: without regard to case, and to whether its accents are characters of their own. */
const foldName = (text: string): string => text.normalize('NFC').toLowerCase();

/** The forms in which a name may be stored, in lower case: systems write accents as part of a letter or after it. */
const spellingsOf = (text: string): string[] => [
  ...new Set([foldName(text), foldName(text).normalize('NFD'), text.toLowerCase()]),
];

/** A name: the longest match among the caller's contacts and groups; only a complete match is exact. */
async function resolveName(context: Context, named: Extract<Named, { kind: 'name' }>): Promise<Resolved> {
  const { caller, change } = context.by;
  const asked = [{ text: named.text, rest: undefined }, ...named.longer].toReversed();
  const all = await selectCandidates(
    change.db,
    caller.user_id,
    asked.flatMap(({ text }) => spellingsOf(text)),
  );
  for (const is_whole of [true, false]) {
    for (const { text, rest } of asked) {
      const some = all.filter((one) => foldName(one.asked) === foldName(text) && one.is_whole === is_whole);
      const [only] = some;
      if (!only) continue;
      if (some.length > 1 || (!is_whole && !context.is_confirmed)) throw ambiguous(context, some, named, text.length);
      const resolved = await resolveCandidate(context, only, named);
      return rest === undefined ? resolved : { ...resolved, rest };
    }
  }
  return resolveBareWord(context, named);
}

/** A bare word that is also the name of a user or a tag is ambiguous. */
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
  const count = (name: string) => some.filter((one) => foldName(one.name) === foldName(name)).length;
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

/** A name in quotes; its identifier when it contains quotes itself. */
const quote = (name: string, id: string): string => (/["“”]/.test(name) ? id : `"${name}"`);

async function resolveCandidate(
  context: Context,
  { kind, id, name }: Pick<Candidate, 'kind' | 'id' | 'name'>,
  named: Named,
): Promise<Resolved> {
  const { caller, change } = context.by;
  const exact = name === id ? id : quote(name, id);
  if (kind === 'group') return { exact, label: name, target: { group_id: id }, user_id: undefined };
  const contact = await requireContact(change.db, id, caller.user_id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') refuseName(context, named);
    throw error;
  });
  return { exact, label: contact.name, target: { contact_id: id }, user_id: contact.user?.id, contact_id: id };
}
