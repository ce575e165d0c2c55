/** Default names: the service sets them in English and marks them, so that clients can translate them. */
import { optional, Type } from '../../kernel/schema.ts';

/** Accompanies a default name; absent otherwise. */
export const NameIsDefault = optional(
  Type.Literal(true, {
    description: 'True if the name is a default: it is in English, and clients translate it. An extension.',
  }),
);

/** The mark of a name, if it is a default. */
export const markDefaultName = ({ name_is_default }: { name_is_default: boolean }): { name_is_default?: true } =>
  name_is_default ? { name_is_default: true } : {};
