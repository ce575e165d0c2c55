/** What takes the right to enter a lasting room or the call of an event ends the presence there, on every node, within a second. */
import { hideContent } from '../../domain/moderation/hide-content.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { createEvent, shareEvent } from '../steps/calendar.ts';
import { connectMedia, startCall } from '../steps/calls.ts';
import { block, createTag, follow } from '../steps/follows.ts';
import { createGroup, joinGroup } from '../steps/groups.ts';
import { inSeconds } from '../steps/location.ts';
import { joinRoom, saveRoom } from '../steps/rooms.ts';
import { ask, startNodes, testRevocations, type AccessPath, type Nodes } from './access-paths.ts';

const find = startNodes();
const motive = { operator: 'olga', reason: 'because' };
type WithId = { id: string };

/** A call in a lasting room or an event of alice, which bob started and carol has joined, while alice is not in it. */
type InRoom = Nodes & { join_code: string; call_id: string };

async function enterRoom(nodes: Nodes, join_code: string): Promise<InRoom> {
  const { here, bob, carol } = nodes;
  const { body } = await joinRoom(here, join_code, bob);
  await joinRoom(here, join_code, carol);
  await connectMedia(here, body.room, bob, carol);
  return { ...nodes, join_code, call_id: body.room };
}

/** What bob reaches in the call. */
const access_paths: Record<string, AccessPath<InRoom>> = {
  'the presence in the call':
    async ({ there, bob, call_id }) =>
    async () => {
      const { rows } = await there.app.services.db.native.query(
        `select 1 from call_participants where call_id = $1 and user_id = $2 and state = 'joined'`,
        [call_id, bob.id],
      );
      return rows.length > 0;
    },
  'the chat of the call':
    async ({ there, bob, join_code }) =>
    async () =>
      (await ask(there, bob, `POST /calls/${join_code}/chat`, { body: 'Hello' })).status < 300,
  'the room of the call':
    async ({ here, bob, call_id }) =>
    async () => {
      await here.settle();
      return here.rooms.get(call_id)?.has(bob.id) ?? false;
    },
  'an earlier grant of its media': async ({ here, there, bob, join_code }) => {
    const { body } = await joinRoom(here, join_code, bob);
    return async () => (await there.call('POST /media/admission', { body: { token: body.token } })).status === 204;
  },
  'joining the call':
    async ({ there, bob, join_code }) =>
    async () =>
      (await joinRoom(there, join_code, bob)).status === 200,
};

type InRoomOfTag = InRoom & { tag: WithId };
const prepareTag =
  (privacy: string, following = true) =>
  async (nodes: Nodes): Promise<InRoomOfTag> => {
    const { here, alice, bob, carol } = nodes;
    const tag = await createTag(here, alice, 'salon');
    for (const who of following ? [bob, carol] : [carol]) await follow(here, tag, who);
    const { join_code } = await saveRoom(here, `/xtags/${tag.id}`, alice, { privacy });
    return { ...(await enterRoom(nodes, join_code)), tag };
  };

const of_owners: Record<string, (scene: InRoom) => Promise<unknown>> = {
  'a block by the owner': ({ here, alice, bob }) => block(here, alice, bob),
  'a block of the owner': ({ here, alice, bob }) => block(here, bob, alice),
  'the suspension of the owner': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  'the suspension of the participant': ({ here, bob }) => suspendUser(here.app.services, bob.id, motive),
  'the deletion of the owner': ({ here, alice }) => ask(here, alice, 'DELETE /me', { password: alice.password }),
};

testRevocations<InRoomOfTag>(find, {
  prepare: prepareTag('followers'),
  revocations: {
    ...of_owners,
    'unfollowing the tag': ({ here, bob, tag }) => ask(here, bob, `DELETE /xtags/${tag.id}/follow`),
    'the removal of a follower': ({ here, alice, bob }) => ask(here, alice, `DELETE /followers/${bob.id}`),
    'a private room': ({ here, alice, tag }) => saveRoom(here, `/xtags/${tag.id}`, alice, { privacy: 'private' }),
    'the deletion of the tag': ({ here, alice, tag }) => ask(here, alice, `DELETE /xtags/${tag.id}`),
    'the deletion of the room': ({ here, alice, tag }) => ask(here, alice, `DELETE /xtags/${tag.id}/room`),
    'the hiding of the tag': ({ here, tag }) => hideContent(here.app.services, 'tag', tag.id, 'hide', motive),
  },
  access_paths,
});

testRevocations<InRoomOfTag>(find, {
  prepare: prepareTag('public', false),
  revocations: {
    'a private tag': ({ here, alice, tag }) => ask(here, alice, `PATCH /xtags/${tag.id}`, { visibility: 'private' }),
    'a room for followers': ({ here, alice, tag }) =>
      saveRoom(here, `/xtags/${tag.id}`, alice, { privacy: 'followers' }),
    'the hiding of a public tag': ({ here, tag }) => hideContent(here.app.services, 'tag', tag.id, 'hide', motive),
  },
  access_paths,
});

testRevocations<InRoomOfTag>(find, {
  async prepare(nodes) {
    const { here, alice, bob, carol } = nodes;
    const tag = await createTag(here, alice, 'salon');
    await follow(here, tag, bob);
    const call = await startCall(here, alice, [carol], { privacy: 'followers' });
    for (const who of [bob, carol]) await joinRoom(here, call.join_code, who);
    await connectMedia(here, call.conference_id, alice, bob, carol);
    return { ...nodes, join_code: call.join_code, call_id: call.conference_id, tag };
  },
  revocations: {
    'unfollowing the host of a call for followers': ({ here, bob, tag }) =>
      ask(here, bob, `DELETE /xtags/${tag.id}/follow`),
    'the removal of a follower by the host': ({ here, alice, bob }) => ask(here, alice, `DELETE /followers/${bob.id}`),
  },
  access_paths,
});

type InRoomOfGroup = InRoom & { group: WithId; contact: WithId };

testRevocations<InRoomOfGroup>(find, {
  async prepare(nodes) {
    const { here, alice, bob, carol } = nodes;
    const group = await createGroup(here, alice, 'Choir');
    const contact = await joinGroup(here, group, alice, bob);
    await joinGroup(here, group, alice, carol);
    const { join_code } = await saveRoom(here, `/groups/${group.id}`, alice);
    return { ...(await enterRoom(nodes, join_code)), group, contact };
  },
  revocations: {
    ...of_owners,
    'leaving the group': ({ here, bob, group }) => ask(here, bob, `POST /groups/${group.id}/leave`, {}),
    'the removal of a member': ({ here, alice, bob, group }) =>
      ask(here, alice, `DELETE /groups/${group.id}/people/${bob.id}`),
    'the removal of a contact from the group': ({ here, alice, group, contact }) =>
      ask(here, alice, `DELETE /groups/${group.id}/members/${contact.id}`),
    'the deletion of the contact of a member': ({ here, alice, contact }) =>
      ask(here, alice, `DELETE /contacts/${contact.id}`),
    'the deletion of the group': ({ here, alice, group }) => ask(here, alice, `DELETE /groups/${group.id}`),
    'the deletion of the room of the group': ({ here, alice, group }) =>
      ask(here, alice, `DELETE /groups/${group.id}/room`),
    'the transfer of the group to whom the member has blocked': async ({ here, alice, bob, carol, group }) => {
      await block(here, bob, carol);
      await ask(here, alice, `POST /groups/${group.id}/transfer`, { user_id: carol.id });
    },
  },
  access_paths,
});

type InEvent = InRoom & { event: WithId };

testRevocations<InEvent>(find, {
  async prepare(nodes) {
    const { here, alice, bob, carol } = nodes;
    const times = { starts_at: inSeconds(here, 60), ends_at: inSeconds(here, 3600) };
    const event = await createEvent(here, alice, { ...times, call: { enabled: true } });
    await shareEvent(here, event, alice, [bob, carol]);
    return { ...(await enterRoom(nodes, event.call.join_code)), event };
  },
  revocations: {
    ...of_owners,
    'an event that is shared with others': ({ here, alice, carol, event }) => shareEvent(here, event, alice, [carol]),
    'the end of sharing an event': ({ here, alice, event }) =>
      ask(here, alice, `DELETE /calendar/events/${event.id}/share`),
    'the deletion of an event': ({ here, alice, event }) => ask(here, alice, `DELETE /calendar/events/${event.id}`),
    'an event without a call': ({ here, alice, event }) =>
      ask(here, alice, `PATCH /calendar/events/${event.id}`, { call: { enabled: false } }),
  },
  access_paths,
});
