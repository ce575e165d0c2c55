import { idOf, nullable, optional, text, Type } from '../../kernel/schema.ts';

/** At least one character that is seen. */
export const GroupName = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description: 'Not blank.' });

/** What an owner may set of a group, besides its name. */
export const groupSettings = {
  description: optional(text(0, 1000)),
  avatar_file_id: optional(nullable(idOf('file'))),
};
