import { idOf, nullable, optional, text, visibleText } from '../../kernel/schema.ts';

/** At least one character that is seen. */
export const GroupName = visibleText(1, 80);

/** What an owner may set of a group, besides its name. */
export const groupSettings = {
  description: optional(text(0, 1000)),
  avatar_file_id: optional(nullable(idOf('file'))),
};
