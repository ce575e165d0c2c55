import { component, object, optional, Type } from '../../kernel/schema.ts';

const max_arguments = 12;
const max_values = 49;

const understood = {
  understood: Type.Literal(true),
  command: Type.String({ description: 'The name of the command in the guide.' }),
  arguments: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String(), { maxItems: max_values })]),
    { maxProperties: max_arguments, description: 'The arguments as understood, in exact form.' },
  ),
  preview: Type.String({ description: 'A sentence that describes the effect, with absolute times and their zone.' }),
};

const choice = {
  requires_confirmation: optional(
    Type.Boolean({ description: 'True if a target is ambiguous, unknown or guessed; nothing was done.' }),
  ),
  suggestions: optional(
    Type.Array(Type.String(), { maxItems: 8, description: 'Complete commands, each unambiguous.' }),
  ),
};

export const CommandPreview = component('CommandPreview', object({ ...understood, ...choice }));

export const CommandResult = component(
  'CommandResult',
  object({
    ...understood,
    ...choice,
    result: optional(Type.Unknown({ description: 'The response of the operation that was run.' })),
    undo: optional(Type.String({ description: 'The command that undoes it.' })),
  }),
);
