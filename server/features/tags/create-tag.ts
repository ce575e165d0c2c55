import { plan_limits } from '../../domain/entitlements.ts';
import { presentTag, Tag, TagName } from '../../domain/tags.ts';
import { isUniqueViolation } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, oneOf, optional, text } from '../../kernel/schema.ts';
import { insertTag } from './queries.ts';

export const createTag = endpoint({
  id: 'createTag',
  route: 'POST /xtags',
  summary: 'Create a tag',
  body: object({
    name: TagName,
    title: optional(text(0, 80)),
    description: optional(text(0, 1000)),
    visibility: optional(oneOf('public', 'unlisted', 'private')),
    follow_policy: optional(oneOf('open', 'approval')),
  }),
  reply: Tag,
  status: [201],
  errors: ['tag_taken', 'plan_limit_reached'],
  async run({ caller, body, db, id, now, services }) {
    const tag = {
      id: id('tag'),
      name: body.name.toLowerCase(),
      title: body.title ?? '',
      description: body.description ?? '',
      visibility: body.visibility ?? 'public',
      follow_policy: body.follow_policy ?? 'open',
      created_at: now,
    };
    try {
      const row = await insertTag(db, tag, caller.user_id, plan_limits[caller.tier].tags);
      return presentTag(row ?? fail('plan_limit_reached'), caller.user_id, services.public_url);
    } catch (error) {
      if (isUniqueViolation(error, 'tags_name')) fail('tag_taken', { fields: { name: 'is taken' } });
      throw error;
    }
  },
});
