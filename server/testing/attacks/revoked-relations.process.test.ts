/** What ends a relation between two people closes what one of them reached by it, on every node, within a second. */
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { openSocket, type Receiver } from '../running/realtime-receivers.ts';
import { fetchSigned, uploadPicture } from '../samples/media.ts';
import { createEvent, fetchAddress, shareEvent } from '../steps/calendar.ts';
import { block, createTag, follow } from '../steps/follows.ts';
import { createGroup, createGroupLink, joinGroup } from '../steps/groups.ts';
import { sendGroupMessage } from '../steps/group-chats.ts';
import { changeSharing, reportPosition, visibleNames } from '../steps/location.ts';
import { openAcceptedThread, sendMessage } from '../steps/messages.ts';
import { postStatus } from '../steps/statuses.ts';
import { createWidget, becomeGuest, sendWidgetMessage } from '../steps/widgets.ts';
import { ask, startNodes, testRevocations, type AccessPath, type Nodes } from './access-paths.ts';

const find = startNodes();
const motive = { operator: 'olga', reason: 'because' };
type WithId = { id: string };

/** Whether a request of bob on the other node is answered. */
const asked =
  <Scene extends Nodes>(route: (scene: Scene) => string, body?: object): AccessPath<Scene> =>
  async (scene) =>
  async () =>
    (await ask(scene.there, scene.bob, route(scene), body)).status < 300;

const opens = async ({ here }: Nodes, url: string) => (await fetchSigned(here, url)).status === 200;

/** Whether a socket of bob on the other node receives a text that alice writes: a message of carol follows it there. */
const received =
  <Scene extends Nodes>(text: string, write: (scene: Scene, text: string) => Promise<unknown>): AccessPath<Scene> =>
  async (scene) => {
    const { here, there, bob, carol, url_there } = scene;
    const { body } = await ask(there, bob, 'POST /realtime/grant', {});
    const socket: Receiver = await openSocket({
      url: `${url_there.replace('http', 'ws')}/realtime/socket`,
      token: body.token,
    });
    const fence = await openAcceptedThread(here, bob, carol);
    let turn = 0;
    return async () => {
      const [written, last] = [`${text} ${(turn += 1)}`, `after ${text} ${turn}`];
      // It may be refused.
      await write(scene, written).catch(() => undefined);
      await sendMessage(here, fence, carol, last);
      const has = (part: string) => socket.received.some((frame) => frame.includes(`"${part}"`));
      while (!has(last)) await new Promise((resolve) => setTimeout(resolve, 5));
      return has(written);
    };
  };

type Social = Nodes & {
  tag: WithId;
  status: WithId & { media: (WithId & { stream_url: string })[] };
  thread: WithId;
  event: WithId;
};

async function prepareSocial(nodes: Nodes): Promise<Social> {
  const { here, alice, bob } = nodes;
  const tag = await createTag(here, alice, 'club');
  await follow(here, tag, bob);
  const picture = await uploadPicture(here, alice);
  const { id } = await postStatus(here, alice, 'For followers', { visibility: 'followers', media: [picture.id] });
  const { body: status } = await ask(here, bob, `GET /statuses/${id}`);
  const thread = await openAcceptedThread(here, alice, bob);
  const event = await createEvent(here, alice);
  await shareEvent(here, event, alice, [bob]);
  await changeSharing(here, alice, { mode: 'followers' });
  await reportPosition(here, alice);
  return { ...nodes, tag, status, thread, event };
}

/** What a follower reaches. */
const of_followers: Record<string, AccessPath<Social>> = {
  'a status for followers': asked(({ status }) => `GET /statuses/${status.id}`),
  'a like of it': asked(({ status }) => `PUT /statuses/${status.id}/like`),
  'a reply to it': asked(({ status }) => `POST /statuses/${status.id}/replies`, { body: 'Hello' }),
  'the address of its file': async (scene) => () => opens(scene, scene.status.media[0]!.stream_url),
  'another address of its file': asked(({ status }) => `POST /files/${status.media[0]!.id}/stream-token`, {}),
  'the events of further ones': received('a status', ({ here, alice }, body) =>
    postStatus(here, alice, body, { visibility: 'followers' }),
  ),
  'the position':
    async ({ there, bob }) =>
    async () =>
      (await visibleNames(there, bob)).includes('alice'),
};

testRevocations<Social>(find, {
  prepare: prepareSocial,
  revocations: {
    'the removal of a follower': ({ here, alice, bob }) => ask(here, alice, `DELETE /followers/${bob.id}`),
    unfollowing: ({ here, bob, tag }) => ask(here, bob, `DELETE /xtags/${tag.id}/follow`),
    'the deletion of the tag that is followed': ({ here, alice, tag }) => ask(here, alice, `DELETE /xtags/${tag.id}`),
  },
  access_paths: of_followers,
});

testRevocations<Social>(find, {
  prepare: prepareSocial,
  revocations: {
    'a block': ({ here, alice, bob }) => block(here, alice, bob),
    'a block by the other': ({ here, alice, bob }) => block(here, bob, alice),
    suspension: ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
    'the deletion of the account': ({ here, alice }) => ask(here, alice, 'DELETE /me', { password: alice.password }),
  },
  open: { 'the deletion of the account': ['the thread'] },
  access_paths: {
    ...of_followers,
    'the thread': asked(({ thread }) => `GET /dm/threads/${thread.id}`),
    'a message in the thread': asked(({ thread }) => `POST /dm/threads/${thread.id}/chat`, { body: 'Hello' }),
    'the events of the thread': received('a message', ({ here, alice, thread }, body) =>
      sendMessage(here, thread, alice, body),
    ),
    'the address of a file in the thread': async (scene) => {
      const { here, alice, bob, thread } = scene;
      const { id } = await uploadPicture(here, alice, 'teal');
      await sendMessage(here, thread, alice, 'A picture', { media: [id] });
      const { body } = await ask(here, bob, `GET /dm/threads/${thread.id}/chat`);
      return () => opens(scene, body.items[0].media[0].stream_url);
    },
    'the event': asked(({ event }) => `GET /calendar/events/${event.id}`),
    'the event in the calendar feed': async ({ there, bob }) => {
      const { body } = await ask(there, bob, 'GET /calendar/feed');
      return async () => (await fetchAddress(there, body.url)).text.includes('Rehearsal');
    },
  },
});

type Grouped = Nodes & { group: WithId; link: string; widget: WithId; contact: WithId };

testRevocations<Grouped>(find, {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    const picture = await uploadPicture(here, alice, 'navy');
    const group = await createGroup(here, alice, 'Choir', { avatar_file_id: picture.id });
    const contact = await joinGroup(here, group, alice, bob);
    const link = await createGroupLink(here, group, alice);
    const widget = await createWidget(here, alice, 'shop', { group_id: group.id });
    await sendWidgetMessage(here, widget, await becomeGuest(here, widget), 'Hello');
    return { ...nodes, group, link, widget, contact };
  },
  revocations: {
    'the removal of a member': ({ here, alice, bob, group }) =>
      ask(here, alice, `DELETE /groups/${group.id}/people/${bob.id}`),
    'the deletion of the contact of a member': ({ here, alice, contact }) =>
      ask(here, alice, `DELETE /contacts/${contact.id}`),
    'leaving a group': ({ here, bob, group }) => ask(here, bob, `POST /groups/${group.id}/leave`, {}),
    'the deletion of a group': ({ here, alice, group }) => ask(here, alice, `DELETE /groups/${group.id}`),
    'a block by a member': ({ here, alice, bob }) => block(here, bob, alice),
    'a block by the owner of a group': ({ here, alice, bob }) => block(here, alice, bob),
    'the suspension of the owner of a group': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  },
  open: { 'leaving a group': ['joining by its link'] },
  access_paths: {
    'the group': asked(({ group }) => `GET /groups/${group.id}`),
    'its chat': asked(({ group }) => `GET /groups/${group.id}/chat`),
    'a message in its chat': asked(({ group }) => `POST /groups/${group.id}/chat`, { body: 'Hello' }),
    'the events of its chat': received('a message', ({ here, alice, group }, body) =>
      sendGroupMessage(here, group, alice, body),
    ),
    'the address of a file in its chat': async (scene) => {
      const { here, alice, bob, group } = scene;
      const { id } = await uploadPicture(here, alice, 'teal');
      await sendGroupMessage(here, group, alice, 'A picture', { file_id: id });
      const { body } = await ask(here, bob, `GET /groups/${group.id}/chat`);
      return () => opens(scene, body.items[0].file.stream_url);
    },
    'the address of its picture': async (scene) => {
      const { body } = await ask(scene.here, scene.bob, `GET /groups/${scene.group.id}`);
      return () => opens(scene, body.avatar_url);
    },
    'the chat of its widget': asked(({ widget }) => `GET /widgets/${widget.id}/chat`),
    'the messages found in it': async ({ here, there, alice, bob, group }) => {
      await sendGroupMessage(here, group, alice, 'Nightingale');
      return async () => (await ask(there, bob, 'GET /messages/search?q=nightingale')).body.items.length > 0;
    },
    'joining by its link': asked(({ link }) => `POST /group-links/${link}/join`),
  },
});
