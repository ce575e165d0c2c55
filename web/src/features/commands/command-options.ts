/** The options of the command bar for a typed text. */
import type { Tag } from '@asterism/sdk';
import { nameOf } from '../../ui/avatar.tsx';
import type { GuideEntry, Understanding } from './command-queries.ts';
import { complete } from './completions.ts';
import { i18n } from '../../i18n/i18n.ts';

/** One option. */
export type CommandOption =
  | { kind: 'run' }
  | { kind: 'type'; text: string; title: string; detail: string; is_correction: boolean }
  | { kind: 'tag'; tag: string; title: string; detail: string }
  | { kind: 'call'; tag: string; title: string; detail: string }
  | { kind: 'person'; person: FoundPerson; title: string; detail: string }
  | { kind: 'find'; title: string; detail: string };

/** A person from the reader's chats or contacts. */
export interface FoundPerson {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  readonly picture: { name: string; called: string; url: string | null | undefined };
  readonly href: string;
}

interface Sources {
  typed: string;
  understood: Understanding | undefined;
  guide: readonly GuideEntry[];
  found: readonly Tag[];
  people: readonly FoundPerson[];
}

const asText = (text: string, detail: string): CommandOption => ({
  kind: 'type',
  text,
  title: text,
  detail,
  is_correction: true,
});

/** Suggested corrections, where the text is not understood or ambiguous. */
function corrections(understood: Understanding | undefined): CommandOption[] {
  if (understood?.kind === 'unknown')
    return understood.suggestions.map((text) => asText(text, i18n.t('Did you mean this?')));
  if (understood?.kind !== 'command' || understood.reply.requires_confirmation !== true) return [];
  const { suggestions = [] } = understood.reply;
  const detail = suggestions.length === 1 ? i18n.t('Did you mean this?') : i18n.t('Choose this one');
  return suggestions.map((text) => asText(text, detail));
}

/** All options, the most likely first. */
export function listOptions({ typed, understood, guide, found, people }: Sources): CommandOption[] {
  const text = typed.trim();
  const can_run = understood?.kind === 'command' && understood.reply.requires_confirmation !== true;
  const completions = complete(typed, guide, text === '' ? 6 : 4).map((one): CommandOption => ({
    kind: 'type',
    text: one.text,
    // For an empty text what a command does; otherwise the completed text.
    ...(text === ''
      ? { title: one.summary.replace(/[.。]$/u, ''), detail: one.form }
      : { title: one.form, detail: one.summary }),
    is_correction: false,
  }));
  const persons = people.map((person): CommandOption => ({
    kind: 'person',
    person,
    title: person.name,
    detail: person.detail,
  }));
  const tags = found.map((tag): CommandOption => ({
    kind: 'tag',
    tag: tag.name,
    title: `*${tag.name}`,
    detail: tag.title || nameOf(tag.owner),
  }));
  const callable = found.find(({ is_mine, name }) => !is_mine && text.toLowerCase().endsWith(name.toLowerCase()));
  const call: CommandOption[] =
    callable && !can_run
      ? [
          {
            kind: 'call',
            tag: callable.name,
            title: i18n.t('Call *{name} now', { name: callable.name }),
            detail: nameOf(callable.owner),
          },
        ]
      : [];
  const find: CommandOption[] =
    text === ''
      ? []
      : [{ kind: 'find', title: i18n.t('Find “{text}”', { text }), detail: i18n.t('In tags and people') }];
  // One word is more likely a name than a mistyped command.
  const is_word = !text.includes(' ');
  const meant = is_word && tags.length + persons.length > 0 ? [] : corrections(understood);
  const known = is_word
    ? [...persons, ...completions, ...call, ...tags, ...meant]
    : [...meant, ...completions, ...call, ...persons, ...tags];
  return [...(can_run ? [{ kind: 'run' } as const] : []), ...known, ...find];
}
