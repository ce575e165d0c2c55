/** What hides a tag or a recording, or ends a phone's part in a call, closes what was reached by it, on every node, within a second. */
import { admitByPin } from '../../domain/calls/dialing/dial-in.ts';
import { hideContent } from '../../domain/moderation/hide-content.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { fetchSigned, uploadPicture } from '../samples/media.ts';
import { createTrack, endedRecordedCall, fakeRecorder } from '../samples/recording.ts';
import { fetchAddress } from '../steps/calendar.ts';
import { startCall, legsOf } from '../steps/calls.ts';
import { block, createTag, itemsOf } from '../steps/follows.ts';
import { saveRoom } from '../steps/rooms.ts';
import { postStatus } from '../steps/statuses.ts';
import type { World } from '../world/world.ts';
import { ask, startNodes, testRevocations, type AccessPath, type Nodes } from './access-paths.ts';

const find = startNodes();
const motive = { operator: 'olga', reason: 'because' };
type WithId = { id: string };
type WithFile = WithId & { stream_url: string };

/** Whether a request of somebody on the other node is answered. */
const asked =
  <Scene extends Nodes>(who: 'bob' | 'carol', route: (scene: Scene) => string, body?: object): AccessPath<Scene> =>
  async (scene) =>
  async () =>
    (await ask(scene.there, scene[who], route(scene), body)).status < 300;

const opens = async ({ here }: Nodes, url: string) => (await fetchSigned(here, url)).status === 200;

type Tagged = Nodes & { tag: WithId; status: WithId & { media: WithFile[] }; join_code: string };

const page =
  (path: string): AccessPath<Tagged> =>
  async ({ there }) =>
  async () =>
    (await fetchAddress(there, `http://asterism.test/t/harbour${path}`)).status === 200;

/** What anybody reaches by a public tag. */
const of_tags: Record<string, AccessPath<Tagged>> = {
  'the tag': asked('carol', ({ tag }) => `GET /xtags/${tag.id}`),
  'its profile': asked('carol', () => 'GET /profiles/harbour'),
  'its profile by another one on this node':
    async ({ here, bob }) =>
    async () =>
      (await ask(here, bob, 'GET /profiles/harbour')).status === 200,
  'who is live at it': asked('carol', () => 'GET /profiles/harbour/live'),
  'its comments': asked('carol', () => 'GET /profiles/harbour/comments'),
  'a comment on it': asked('carol', () => 'POST /profiles/harbour/comments', { body: 'Hello' }),
  'the search for it':
    async ({ there, carol }) =>
    async () =>
      (await ask(there, carol, 'GET /xtags/search?q=harb')).body.items.length > 0,
  'its room': asked('carol', ({ tag }) => `GET /xtags/${tag.id}/room`),
  'the call in its room': asked('carol', ({ join_code }) => `GET /calls/${join_code}`),
  'a status of it': asked('carol', ({ status }) => `GET /statuses/${status.id}`),
  'a like of that': asked('carol', ({ status }) => `PUT /statuses/${status.id}/like`),
  'a reply to that': asked('carol', ({ status }) => `POST /statuses/${status.id}/replies`, { body: 'Hello' }),
  'the address of its file': async (scene) => () => opens(scene, scene.status.media[0]!.stream_url),
  'another address of its file': asked('carol', ({ status }) => `POST /files/${status.media[0]!.id}/stream-token`, {}),
  'its page': page(''),
  'its picture': page('/card.png'),
};

const of_everybody = ['its profile by another one on this node', 'its page', 'its picture'];

testRevocations<Tagged>(find, {
  async prepare(nodes) {
    const { here, alice, carol } = nodes;
    const tag = await createTag(here, alice, 'harbour', { comments_open: true });
    const { join_code } = await saveRoom(here, `/xtags/${tag.id}`, alice, { privacy: 'public' });
    await ask(here, alice, `POST /calls/${join_code}/sfu-grant`, {});
    const picture = await uploadPicture(here, alice);
    const { id } = await postStatus(here, alice, 'Ships', { tag_id: tag.id, media: [picture.id] });
    const { body: status } = await ask(here, carol, `GET /statuses/${id}`);
    return { ...nodes, tag, status, join_code };
  },
  revocations: {
    'making a tag private': ({ here, alice, tag }) =>
      ask(here, alice, `PATCH /xtags/${tag.id}`, { visibility: 'private' }),
    'hiding a tag': ({ here, tag }) => hideContent(here.app.services, 'tag', tag.id, 'hide', motive),
    'the deletion of a tag': ({ here, alice, tag }) => ask(here, alice, `DELETE /xtags/${tag.id}`),
    'a block by its owner': ({ here, alice, carol }) => block(here, alice, carol),
    'a block of its owner': ({ here, alice, carol }) => block(here, carol, alice),
    'the suspension of its owner': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  },
  // A block is between two people.
  open: { 'a block by its owner': of_everybody, 'a block of its owner': of_everybody },
  access_paths: of_tags,
});

type Recorded = Nodes & { recording: WithId & { tracks: { file: WithFile }[] } };

testRevocations<Recorded>(find, {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    fakeRecorder(here).tracks = [createTrack('alice', [])];
    await endedRecordedCall(here, alice, bob);
    const [recording] = await itemsOf(here, '/recordings', bob);
    return { ...nodes, recording };
  },
  revocations: {
    'the deletion of a recording': ({ here, alice, recording }) =>
      ask(here, alice, `DELETE /recordings/${recording.id}`),
    'removing it from the own list': ({ here, bob, recording }) => ask(here, bob, `DELETE /recordings/${recording.id}`),
    'a block by who made it': ({ here, alice, bob }) => block(here, alice, bob),
    'a block of who made it': ({ here, alice, bob }) => block(here, bob, alice),
    'the suspension of who made it': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  },
  access_paths: {
    'the list of recordings':
      async ({ there, bob }) =>
      async () =>
        (await itemsOf(there, '/recordings', bob)).length > 0,
    'the address of its file': async (scene) => () => opens(scene, scene.recording.tracks[0]!.file.stream_url),
    'another address of its file': asked(
      'bob',
      ({ recording }) => `POST /files/${recording.tracks[0]!.file.id}/stream-token`,
      {},
    ),
  },
});

type ByPhone = Nodes & { pin: string; phone: string };

const number = '+4930555001';
const dialIn = async ({ app }: World, pin: string, from: string) =>
  (await admitByPin(app.services, { from, pin, carrier_id: `CA${from}` })) !== undefined;

testRevocations<ByPhone>(find, {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    const call = await startCall(here, alice, [bob]);
    const { body } = await ask(here, alice, `GET /calls/${call.join_code}`);
    await dialIn(here, body.dial_in.pin, number);
    const { body: entered } = await ask(here, alice, `GET /calls/${call.join_code}`);
    const phone = entered.participants.find(({ user }: { user: WithId | null }) => user === null);
    return { ...nodes, pin: body.dial_in.pin, phone: phone.id };
  },
  revocations: {
    'the removal of a phone': ({ here, alice, phone }) =>
      ask(here, alice, `DELETE /calls/active/participants/${phone}`),
    'the end of its call': ({ here, alice }) => ask(here, alice, 'DELETE /calls/active'),
    'the suspension of its host': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  },
  open: { 'the removal of a phone': ['the digits for another phone'] },
  access_paths: {
    'the phone, then or dialling again':
      async ({ here, there, pin }) =>
      async () =>
        (await legsOf(here)).some(({ state }) => state === 'answered') || dialIn(there, pin, number),
    'the digits for another phone': async ({ there, pin }) => {
      let count = 0;
      return () => dialIn(there, pin, `+49305551${(count += 1)}`.padEnd(13, '0'));
    },
  },
});
