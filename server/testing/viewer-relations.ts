/** Onlookers: everybody who may stand towards a person in a way that decides what they see of them, each in a world. */
import { expect } from 'vitest';
import { hideContent, suspendUser } from '../domain/moderation/moderation.ts';
import { sendCallMessage, startJoinedCall } from './call-chatting.ts';
import { startCall } from './calling.ts';
import { sendGroupMessage } from './chatting.ts';
import { comment } from './commenting.ts';
import { addContact, setReach } from './contacting.ts';
import { createWidget, sendWidgetMessage } from './embedding.ts';
import { actOnRequest, requestFollow, block, follow, createTag } from './following.ts';
import { addMember, answerInvite, invitesOf, createGroup } from './grouping.ts';
import { uploadPicture } from './media.ts';
import { openAcceptedThread, sendMessage } from './messaging.ts';
import { findPersonas, type Persona } from './personas.ts';
import { postStatus, replyTo } from './posting.ts';
import { createWorld, type World } from './world.ts';

type Named = { id: string; name: string };
type Made = { id: string };

/** What the owner has, and what they and a third person have done with each other's. */
export type Stage = {
  world: World;
  owner: Persona;
  third: Persona;
  /** Undefined is somebody without an account. */
  viewer: Persona | undefined;
  tags: Record<'public' | 'unlisted' | 'private' | 'approval', Named>;
  statuses: Record<string, Made>;
  /** A picture of each tag and status, by its kind. */
  files: Record<string, Made>;
  third_tag: Named;
  third_status: Made;
  reply: Made;
  third_reply: Made;
  comment: Made;
  third_comment: Made;
  call: { join_code: string; conference_id: string };
  /** The owner's, by how the viewer stands to each. */
  groups: Record<string, Made>;
  /** What asks the viewer into one of them. */
  invite: Made;
  /** The owner's with the viewer and with the third, each with a message of the owner's and a picture in it. */
  threads: Record<string, Made & { message_id: string }>;
  /** A call of the owner and the viewer that is over, with a message of the owner's. */
  past_call: { join_code: string; conference_id: string; message_id: string };
  /** A message of the owner's in the group in which the viewer is, and one in a widget that is shared with it. */
  group_message: Made;
  widget: Made & { message_id: string };
};

const motive = { operator: 'olga', reason: 'because' };

/** How statuses are told apart: by whom they are for and by the tag that they are posted under. */
export const status_kinds: [string, keyof Stage['tags'] | undefined, 'public' | 'followers'][] = [
  ['public status', 'public', 'public'],
  ['followers status', 'public', 'followers'],
  ['public status, no tag', undefined, 'public'],
  ['followers status, no tag', undefined, 'followers'],
  ['status of unlisted tag', 'unlisted', 'public'],
  ['status of private tag', 'private', 'public'],
  ['status of approval tag', 'approval', 'public'],
];

async function followAll({ world, owner, tags }: Stage, who: Persona): Promise<void> {
  for (const [kind, tag] of Object.entries(tags)) {
    if (kind === 'approval') await actOnRequest(world, await requestFollow(world, tag, who), owner, 'accept');
    else expect((await follow(world, tag, who)).status).toBe(200);
  }
}

type ViewerRelation = {
  sees_as?: 'nobody' | 'owner';
  before?(stage: Stage, viewer: Persona): Promise<void>;
  after?(stage: Stage, viewer: Persona): Promise<void>;
};

/** Every onlooker: what comes before the things are made, and what after. */
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
  'of suspended': { before: followAll, after: ({ world }) => suspendUser(world.app.services, 'alice', motive) },
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
      for (const { id } of Object.values(tags)) await hideContent(app.services, 'tag', id, 'hide', motive);
    },
  },
  'things hidden': {
    before: followAll,
    async after({ world: { app }, statuses, reply, third_reply, comment: own, third_comment }) {
      const hide = (type: 'status' | 'reply' | 'comment', { id }: Made) =>
        hideContent(app.services, type, id, 'hide', motive);
      for (const one of Object.values(statuses)) await hide('status', one);
      for (const one of [reply, third_reply]) await hide('reply', one);
      for (const one of [own, third_comment]) await hide('comment', one);
    },
  },
};

/** Three groups of the owner's, each with a picture: the viewer has been asked into one and is in another. */
async function makeGroups(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner } = stage;
  stage.groups = {};
  await setReach(world, viewer, { find: 'everyone' });
  const contact = await addContact(world, owner, { phones: [{ number: viewer.mobile_number }] });
  for (const kind of ['group', 'joined group', 'asking group']) {
    const picture = (stage.files[kind] = await uploadPicture(world, owner));
    const group = (stage.groups[kind] = await createGroup(world, owner, kind, { avatar_file_id: picture.id }));
    if (kind === 'group') continue;
    await addMember(world, group, contact, owner);
    const [invite] = await invitesOf(world, viewer);
    if (kind === 'joined group') await answerInvite(world, invite, viewer, 'accept');
    else stage.invite = invite;
  }
}

async function makeThreads(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner, third } = stage;
  stage.threads = {};
  for (const [kind, peer] of [
    ['own thread', viewer],
    ["third's thread", third],
  ] as const) {
    const picture = (stage.files[kind] = await uploadPicture(world, owner));
    const { id } = await openAcceptedThread(world, owner, peer);
    const { id: message_id } = await sendMessage(world, { id }, owner, 'Of the owner', { media: [picture.id] });
    stage.threads[kind] = { id, message_id };
  }
}

/** What the owner wrote in a call with the viewer, in the group of both, and in a widget that the group serves. */
async function makeChats(stage: Stage, viewer: Persona): Promise<void> {
  const { world, owner, groups } = stage;
  const call = await startJoinedCall(world, owner, viewer);
  const { id: message_id } = await sendCallMessage(world, call, owner, 'Of the owner');
  await world.call('DELETE /calls/active', { token: owner.token });
  stage.past_call = { ...call, message_id };
  const group = groups['joined group'] ?? { id: '' };
  stage.group_message = await sendGroupMessage(world, group, owner, 'Of the owner');
  const widget = await createWidget(world, owner, 'v-widget', { group_id: group.id });
  const notice = await sendWidgetMessage(world, widget, owner, 'Of the owner');
  stage.widget = { id: widget.id, message_id: notice.id };
}

/** Builds the world of one onlooker: the things made, the relation as it is named. */
export async function createStage(name: string): Promise<Stage> {
  const world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
  const { alice: owner, bob, carol: third } = findPersonas();
  const onlooker = viewer_relations[name] ?? {};
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
  await onlooker.before?.(stage, bob);
  // Whoever is to follow a private tag followed it before it became private.
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
  await makeGroups(stage, bob);
  await makeThreads(stage, bob);
  await makeChats(stage, bob);
  stage.call = await startCall(world, owner, [], { privacy: 'public' });
  await onlooker.after?.(stage, bob);
  await world.settle();
  stage.viewer = onlooker.sees_as === 'nobody' ? undefined : onlooker.sees_as === 'owner' ? owner : bob;
  return stage;
}

/** Posts a status of a kind. */
export function postOfKind(
  { world, owner, tags }: Pick<Stage, 'world' | 'owner' | 'tags'>,
  body: string,
  tag: keyof Stage['tags'] | undefined,
  visibility: string,
  media: string[] = [],
): Promise<Made> {
  return postStatus(world, owner, body, { visibility, media, ...(tag ? { tag_id: tags[tag].id } : {}) });
}
