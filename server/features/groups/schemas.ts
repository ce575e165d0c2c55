import { idOf, lineText, nullable, optional, text } from '../../kernel/schema.ts';

/** At least one visible character. */
export const GroupName = lineText(1, 80);

/** The input fields of a group, besides its name. */
export const groupSettings = {
  description: optional(text(0, 1000)),
  avatar_file_id: optional(nullable(idOf('file'))),
};
