/** Names that nobody chose: the service gives them in English, and marks them so that clients say them in another language. */
import { optional, Type } from '../../kernel/schema.ts';

/** Stands beside a name that nobody chose, and is absent beside any other. */
export const NameIsDefault = optional(
  Type.Literal(true, {
    description:
      'Nobody chose the name: it stands in English, and a client says it in the language of its reader. An extension.',
  }),
);

/** The mark of a name, where it needs one. */
export const markDefaultName = ({ name_is_default }: { name_is_default: boolean }): { name_is_default?: true } =>
  name_is_default ? { name_is_default: true } : {};
