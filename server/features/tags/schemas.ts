import { follow_policies, visibility_values } from '../../domain/social/tags.ts';
import { lineText, oneOf, optional, text, Type } from '../../kernel/schema.ts';

/** The input fields of a tag, besides its name. */
export const tagSettings = {
  title: optional(lineText(0, 80)),
  description: optional(text(0, 1000)),
  visibility: optional(oneOf(...visibility_values)),
  follow_policy: optional(oneOf(...follow_policies)),
  comments_open: optional(Type.Boolean({ description: 'Whether others may comment on its profile.' })),
};
