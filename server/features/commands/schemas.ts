import { component, object, optional, Type } from '../../kernel/schema.ts';

const max_arguments = 12;
const max_values = 49;

const understood = {
  understood: Type.Literal(true),
  command: Type.String({ description: 'Its name in the guide.' }),
  arguments: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String(), { maxItems: max_values })]),
    { maxProperties: max_arguments, description: 'What was understood, in exact words.' },
  ),
  preview: Type.String({ description: 'What it does, in a sentence, with absolute times and their zone.' }),
};

const choice = {
  requires_confirmation: optional(
    Type.Boolean({ description: 'Several may be meant, or nobody, or it is a guess: nothing was done.' }),
  ),
  suggestions: optional(
    Type.Array(Type.String(), { maxItems: 8, description: 'Whole commands, each of which is exact.' }),
  ),
};

export const CommandPreview = component('CommandPreview', object({ ...understood, ...choice }));

export const CommandResult = component(
  'CommandResult',
  object({
    ...understood,
    ...choice,
    result: optional(Type.Unknown({ description: 'What the operation answers that was run.' })),
    undo: optional(Type.String({ description: 'The command that takes it back.' })),
  }),
);
