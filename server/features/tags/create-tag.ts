import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { requireUnreserved } from '../../domain/accounts/reserved-names.ts';
import { presentTag, Tag, TagName } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { insertTag } from './queries.ts';
import { tagSettings } from './schemas.ts';

export const createTag = endpoint({
  id: 'createTag',
  route: 'POST /xtags',
  summary: 'Create a tag',
  throttle: 'tag_name',
  body: object({ name: TagName, ...tagSettings }),
  reply: Tag,
  status: [201],
  errors: ['tag_taken', 'plan_limit_reached'],
  async run({ body, db, id, ...input }) {
    const { caller, now } = input;
    requireUnreserved('name', body.name);
    const tag = {
      id: id('tag'),
      name: body.name.toLowerCase(),
      title: body.title ?? '',
      description: body.description ?? '',
      visibility: body.visibility ?? ('public' as const),
      follow_policy: body.follow_policy ?? ('open' as const),
      comments_open: body.comments_open ?? true,
      created_at: now,
    };
    const row = await insertTag(db, tag, caller.user_id, plan_limits[caller.tier].tags);
    return presentTag(row ?? fail('plan_limit_reached'), viewerOf(input));
  },
});
