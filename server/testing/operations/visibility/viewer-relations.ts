/** Viewers: every relation to a person that decides what a viewer sees of them, each in a separate world. */
import { expect } from 'vitest';
import type { StatusVisibility } from '../../../domain/social/statuses.ts';
import { hideContent } from '../../../domain/moderation/hide-content.ts';
import { suspendUser } from '../../../domain/moderation/suspension.ts';
import { sendCallMessage, startJoinedCall } from '../../steps/call-chat.ts';
import { startCall } from '../../steps/calls.ts';
import { sendGroupMessage } from '../../steps/group-chats.ts';
import { comment } from '../../steps/comments.ts';
import { addContact, setReach } from '../../steps/contacts.ts';
import { createWidget, sendWidgetMessage } from '../../steps/widgets.ts';
import { actOnRequest, requestFollow, block, follow, createTag } from '../../steps/follows.ts';
import { addMember, answerInvite, invitesOf, createGroup } from '../../steps/groups.ts';
import { uploadPicture } from '../../samples/media.ts';
import { openAcceptedThread, sendMessage } from '../../steps/messages.ts';
import { findPersonas, type Persona } from '../../world/personas.ts';
import { postStatus, replyTo } from '../../steps/statuses.ts';
import { createWorld, type World } from '../../world/world.ts';

type Named = { id: string; name: string };
type WithId = { id: string };

/** The owner's objects, and their interactions with a third person. */
export type Stage = {
  world: World;
  owner: Persona;
  third: Persona;
  /** Undefined is a viewer without an account. */
  viewer: Persona | undefined;
  tags: Record<'public' | 'unlisted' | 'private' | 'approval', Named>;
  statuses: Record<string, WithId>;
  /** A picture of each tag and status, by its kind. */
  files: Record<string, WithId>;
  third_tag: Named;
  third_status: WithId;
  reply: WithId;
  third_reply: WithId;
  comment: WithId;
  third_comment: WithId;
  call: { join_code: string; conference_id: string };
  /** The owner's groups, by the viewer's relation to each. */
  groups: Record<string, WithId>;
  /** The viewer's invite to one of them. */
  invite: WithId;
  /** The owner's threads with the viewer and with the third person, each with a message of the owner with a picture. */
  threads: Record<string, WithId & { message_id: string }>;
  /** Ended calls of the owner and the viewer, by who hosted them, each with a message of the owner with a picture. */
  past_calls: Record<string, { join_code: string; conference_id: string; message_id: string }>;
  /** A message of the owner that mentions the viewer in their group, and one in a widget that is shared with that group. */
  group_message: WithId;
  widget: WithId & { message_id: string };
};

const moderation = { operator: 'olga', reason: 'because' };

/** The kinds of statuses: by their visibility, and by the tag that they are posted under. */
export const status_kinds: [string, keyof Stage['tags'] | undefined, StatusVisibility][] = [
  ['public status', 'public', 'public'],
  ['followers status', 'public', 'followers'],
  ['public status, no tag', undefined, 'public'],
  ['followers status, no tag', undefined, 'followers'],
  ['status of unlisted tag', 'unlisted', 'public'],
  ['status of private tag', 'private', 'public'],
  ['status of approval tag', 'approval', 'public'],
];

async function followAll({ world, owner, tags }: Stage, follower: Persona): Promise<void> {
  for (const [kind, tag] of Object.entries(tags)) {
    if (kind === 'approval') await actOnRequest(world, await requestFollow(world, tag, follower), owner, 'accept');
    else expect((await follow(world, tag, follower)).status).toBe(200);
  }
}

type ViewerRelation = {
  sees_as?: 'nobody' | 'owner';
  before?(stage: Stage, viewer: Persona): Promise<void>;
  after?(stage: Stage, viewer: Persona): Promise<void>;
};

/** Every viewer: what happens before the objects are created, and after. */
export const viewer_relations: Record<string, ViewerRelation> = {
  nobody: { sees_as: 'nobody' },
  stranger: {},
  pending: { before: async ({ world, tags }, viewer) => void (await requestFollow(world, tags.approval, viewer)) },
  declined: {
    before: async ({ world, tags, owner }, viewer) =>
      void (await actOnRequest(world, await requestFollow(world, tags.approval, viewer), owner, 'decline')),
  },
  follower: { before: followAll },
  mutual: {
    async before(stage, viewer) {
      await followAll(stage, viewer);
      await follow(stage.world, await createTag(stage.world, viewer, 'of-viewer'), stage.owner);
    },
  },
  owner: { sees_as: 'owner' },
  blocked: { before: followAll, after: ({ world, owner }, viewer) => block(world, owner, viewer) },
  blocker: { before: followAll, after: ({ world, owner }, viewer) => block(world, viewer, owner) },
  'of suspended': { before: followAll, after: ({ world }) => suspendUser(world.app.services, 'alice', moderation) },
  'of deleted': {
    before: followAll,
    async after({ world, owner }) {
      const { status } = await world.call('DELETE /me', { token: owner.token, body: { password: owner.password } });
      expect(status).toBe(204);
    },
  },
  'tags hidden': {
    before: followAll,
    async after({ world: { app }, tags }) {
      for (const { id } of Object.values(tags)) await hideContent(app.services, 'tag', id, 'hide', moderation);
    },
  },
  'content hidden': {
    before: followAll,
    async after({ world: { app }, statuses, reply, third_reply, comment: owner_comment, third_comment }) {
      const hide = (type: 'status' | 'reply' | 'comment', { id }: WithId) =>
        hideContent(app.services, type, id, 'hide', moderation);
      for (const status of Object.values(statuses)) await hide('status', status);
      for (const item of [reply, third_reply]) await hide('reply', item);
      for (const item of [owner_comment, third_comment]) await hide('comment', item);
    },
  },
};

/** Three groups of the owner, each with a picture: the viewer is invited to one and a member of another. */
async function createGroups(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner } = stage;
  stage.groups = {};
  await setReach(world, viewer, { find: 'everyone' });
  const contact = await addContact(world, owner, { phones: [{ number: viewer.mobile_number }] });
  for (const kind of ['group', 'joined group', 'invited group']) {
    const picture = (stage.files[kind] = await uploadPicture(world, owner));
    const group = (stage.groups[kind] = await createGroup(world, owner, kind, { avatar_file_id: picture.id }));
    if (kind === 'group') continue;
    await addMember(world, group, contact, owner);
    const [invite] = await invitesOf(world, viewer);
    if (kind === 'joined group') await answerInvite(world, invite, viewer, 'accept');
    else stage.invite = invite;
  }
}

async function createThreads(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner, third } = stage;
  stage.threads = {};
  for (const [kind, peer] of [
    ['own thread', viewer],
    ["another person's thread", third],
  ] as const) {
    const picture = (stage.files[kind] = await uploadPicture(world, owner));
    const { id } = await openAcceptedThread(world, owner, peer);
    const { id: message_id } = await sendMessage(world, { id }, owner, 'Of the owner', { media: [picture.id] });
    stage.threads[kind] = { id, message_id };
  }
}

/** Messages of the owner in calls with the viewer, in the group of both, and in a widget that the group serves. */
async function createChats(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner, third, groups } = stage;
  stage.past_calls = {};
  for (const [kind, host, others] of [
    ['past call', owner, [viewer]],
    ["another person's past call", third, [owner, viewer]],
  ] as const) {
    const picture = (stage.files[kind] = await uploadPicture(world, owner));
    const call = await startJoinedCall(world, host, ...others);
    const { id: message_id } = await sendCallMessage(world, call, owner, 'Of the owner', { file_id: picture.id });
    await world.call('DELETE /calls/active', { token: host.token });
    stage.past_calls[kind] = { ...call, message_id };
  }
  const group = groups['joined group'] ?? { id: '' };
  stage.group_message = await sendGroupMessage(world, group, owner, `Of the owner @${viewer.username}`);
  const widget = await createWidget(world, owner, 'v-widget', { group_id: group.id });
  const notice = await sendWidgetMessage(world, widget, owner, 'Of the owner');
  stage.widget = { id: widget.id, message_id: notice.id };
}

/** Builds the world of one viewer: the objects, and the named relation. */
export async function createStage(name: string): Promise<Stage> {
  const world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
  const { alice: owner, bob, carol: third } = findPersonas();
  const relation = viewer_relations[name] ?? {};
  const tags = {
    public: await createTag(world, owner, 'v-public'),
    unlisted: await createTag(world, owner, 'v-unlisted', { visibility: 'unlisted' }),
    private: await createTag(world, owner, 'v-private'),
    approval: await createTag(world, owner, 'v-approval', { follow_policy: 'approval' }),
  };
  const third_tag = await createTag(world, third, 'v-third');
  const stage = { world, owner, third, viewer: bob, tags, third_tag } as Stage;
  await follow(world, tags.public, third);
  await follow(world, third_tag, owner);
  await relation.before?.(stage, bob);
  // A follower of a private tag followed it before it became private.
  await world.call(`PATCH /xtags/${tags.private.id}`, { token: owner.token, body: { visibility: 'private' } });
  stage.statuses = {};
  stage.files = {};
  for (const [kind, tag, visibility] of status_kinds) {
    const file = (stage.files[kind] = await uploadPicture(world, owner));
    stage.statuses[kind] = await postOfKind(stage, `${kind} @bob`, tag, visibility, [file.id]);
  }
  for (const [kind, { id }] of Object.entries(tags)) {
    const { id: file_id } = (stage.files[`${kind} tag`] = await uploadPicture(world, owner));
    const added = await world.call(`POST /xtags/${id}/media`, { token: owner.token, body: { file_id } });
    expect(added.status).toBe(201);
  }
  stage.third_status = await postStatus(world, third, 'Of the third', { tag_id: third_tag.id });
  stage.reply = await replyTo(world, stage.third_status, owner, 'Of the owner');
  stage.third_reply = await replyTo(world, stage.statuses['public status'] ?? { id: '' }, third, 'Of the third');
  stage.comment = await comment(world, third_tag, owner, 'Of the owner');
  stage.third_comment = await comment(world, tags.public, third, 'Of the third');
  await createGroups(stage, bob);
  await createThreads(stage, bob);
  await createChats(stage, bob);
  stage.call = await startCall(world, owner, [], { privacy: 'public' });
  await relation.after?.(stage, bob);
  await world.settle();
  stage.viewer = relation.sees_as === 'nobody' ? undefined : relation.sees_as === 'owner' ? owner : bob;
  return stage;
}

/** Posts a status of the owner. @param tag undefined for a status without a tag */
export function postOfKind(
  { world, owner, tags }: Pick<Stage, 'world' | 'owner' | 'tags'>,
  body: string,
  tag: keyof Stage['tags'] | undefined,
  visibility: string,
  media: string[] = [],
): Promise<WithId> {
  return postStatus(world, owner, body, { visibility, media, ...(tag ? { tag_id: tags[tag].id } : {}) });
}
