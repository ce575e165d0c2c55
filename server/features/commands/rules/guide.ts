/** The available commands, and the guide to them. */
import type { I18n } from '../../../kernel/language/i18n.ts';
import { component, object, oneOf, Type, type Static } from '../../../kernel/schema.ts';
import type { Operations } from '../../../kernel/services.ts';
import { argumentsOf, compileCommands, showForm, type CompiledCommand } from './forms.ts';
import { argument_types, commands, type Command } from './grammar.ts';

const max = { forms: 12, examples: 8, arguments: 8 };

export const CommandGuide = component(
  'CommandGuide',
  object({
    name: Type.String(),
    summary: Type.String({ description: 'What it does, in the language of the request; the forms are English.' }),
    syntax: Type.String({ description: 'The usual form.' }),
    forms: Type.Array(Type.String(), { maxItems: max.forms, description: 'All forms; `[…]` is optional.' }),
    arguments: Type.Array(object({ name: Type.String(), type: oneOf(...argument_types), required: Type.Boolean() }), {
      maxItems: max.arguments,
    }),
    examples: Type.Array(Type.String(), { maxItems: max.examples }),
  }),
);

const grammars = new WeakMap<Operations, readonly CompiledCommand[]>();

/** The commands whose operations all exist. */
export function availableGrammar(operations: Operations): readonly CompiledCommand[] {
  const known = grammars.get(operations);
  if (known) return known;
  const there = (commands as readonly Command[]).filter((command) =>
    command.operations.every(([method, path]) => operations.has(method, path)),
  );
  const grammar = compileCommands(there);
  grammars.set(operations, grammar);
  return grammar;
}

/** A command as the guide shows it. */
export function presentCommand(compiled: CompiledCommand, i18n: I18n): Static<typeof CommandGuide> {
  const { command, forms } = compiled;
  const shown = forms.map(showForm);
  return {
    name: command.name,
    summary: command.summary(i18n),
    syntax: shown[0] ?? command.name,
    forms: shown,
    arguments: argumentsOf(compiled),
    examples: [...command.examples],
  };
}
