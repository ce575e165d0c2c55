import { PublicUser } from '../../domain/accounts/accounts.ts';
import type { LiveRow } from '../../domain/calls/live-calls.ts';
import { GroupLabel } from '../../domain/contacts/groups.ts';
import { Status } from '../../domain/social/statuses.ts';
import { Tag, TagName } from '../../domain/social/tags.ts';
import { component, moment, object, optional, visibleText, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** A profile is addressed by its tag's name, or by its recent former name. */
export const ProfilePath = object({ xtag: TagName });

export const CommentBody = visibleText(1, 1000);

export const Live = component(
  'Live',
  object({
    live: Type.Boolean(),
    join_code: optional(Type.String()),
    participant_count: optional(
      Type.Integer({ minimum: 0, description: 'Participants who are in the call or joining.' }),
    ),
    started_at: optional(moment),
  }),
);

export const Profile = component(
  'Profile',
  object({
    tag: Tag,
    owner: PublicUser,
    follower_count: Type.Integer({ minimum: 0 }),
    status_count: Type.Integer({ minimum: 0, description: 'Only those visible to you.' }),
    statuses: Type.Array(Status, {
      maxItems: default_limits.profile_statuses,
      description: `The latest ${default_limits.profile_statuses} that you may see.`,
    }),
    live: Live,
    comments_open: Type.Boolean(),
  }),
);

/** The maximum of tags and shared groups on a person's page. */
export const max_person_tags = default_limits.person_tags;
export const max_shared_groups = default_limits.person_groups;

export const PersonPage = component(
  'PersonPage',
  object({
    user: PublicUser,
    bio: Type.String(),
    joined_at: moment,
    tags: Type.Array(Tag, {
      maxItems: max_person_tags,
      description: 'Public tags and tags you follow, most followers first.',
    }),
    shared_groups: Type.Array(GroupLabel, { maxItems: max_shared_groups, description: 'Newest first.' }),
    live: Live,
    muted: Type.Boolean({ description: 'Whether you have muted them.' }),
  }),
);

/** The public call that a person is in, if any. */
export function presentLive(row: LiveRow | undefined): Static<typeof Live> {
  if (!row) return { live: false };
  const { join_code, participant_count, started_at } = row;
  return { live: true, join_code, participant_count, started_at: wireTime(started_at) };
}
