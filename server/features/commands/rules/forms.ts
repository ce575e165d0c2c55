/** Forms of the grammar: compilation, and their display in the guide. */
import type { ArgumentType, Command } from './grammar.ts';

/** One element of a form: a word, or an argument of a type. */
export type Part = { word: string; optional: boolean } | { argument: string; type: ArgumentType; optional: boolean };
/** A phrasing of a command, such as `call {to:targets} with video`. */
export type Form = readonly Part[];
/** A command with its compiled forms. */
export type CompiledCommand = { command: Command; forms: readonly Form[] };

/** Compiles a form such as `call {to:targets} [with video]`; each word in brackets is optional. */
function compileForm(form: string): Form {
  const parts: Part[] = [];
  for (const [, open, argument, type, word] of form.matchAll(/(\[)?(?:\{(\w+):(\w+)\}|([^\s[\]{}]+))\]?/g)) {
    const optional = open === '[';
    parts.push(argument ? { argument, type: type as ArgumentType, optional } : { word: word ?? '', optional });
  }
  return parts;
}

/** Compiles commands. */
export const compileCommands = (commands: readonly Command[]): readonly CompiledCommand[] =>
  commands.map((command) => ({ command, forms: command.forms.map(compileForm) }));

const shown: Partial<Record<ArgumentType, string>> = { targets: 'TARGET and …' };

/** A form as the guide shows it: `call TARGET and …`. */
export function showForm(form: Form): string {
  return form
    .map((part) => {
      const text = 'word' in part ? part.word : (shown[part.type] ?? part.type.toUpperCase());
      return part.optional ? `[${text}]` : text;
    })
    .join(' ');
}

/** The arguments of a command, without duplicates; required when every form has them. */
export function argumentsOf({ forms }: CompiledCommand): { name: string; type: ArgumentType; required: boolean }[] {
  const found = new Map<string, { name: string; type: ArgumentType; required: boolean }>();
  for (const form of forms)
    for (const part of form)
      if ('argument' in part) found.set(part.argument, { name: part.argument, type: part.type, required: true });
  for (const one of found.values())
    one.required = forms.every((form) =>
      form.some((part) => 'argument' in part && part.argument === one.name && !part.optional),
    );
  return [...found.values()];
}

/** Every fixed word of some commands: for speech recognition and for correcting typos. */
export function wordsOf(compiled: readonly CompiledCommand[]): string[] {
  const parts = compiled.flatMap(({ forms }) => forms.flat());
  return [...new Set(parts.flatMap((part) => ('word' in part && /^[a-z]/.test(part.word) ? [part.word] : [])))];
}
