/** What ends a link, a role or the sharing of a position closes what was reached by it, on every node, within a second. */
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { uploadPicture } from '../samples/media.ts';
import { createEvent, fetchAddress, shareEvent } from '../steps/calendar.ts';
import { connectMedia, requestGrants } from '../steps/calls.ts';
import { addContact } from '../steps/contacts.ts';
import { block, createTag, follow } from '../steps/follows.ts';
import { createGroup, createGroupLink, joinByLink, joinGroup, setGroupAdmin } from '../steps/groups.ts';
import { inviteByMail, inviteTokenOf } from '../steps/invites.ts';
import { decideOnGuest, requestEntry, startOpenCall } from '../steps/link-guests.ts';
import { changeSharing, inSeconds, reportPosition, visibleNames } from '../steps/location.ts';
import { ask, startNodes, testRevocations, type AccessPath, type Nodes } from './access-paths.ts';

const find = startNodes();
const motive = { operator: 'olga', reason: 'because' };
type WithId = { id: string };

type Links = Nodes & { group: WithId; event: WithId; link_id: string; invite: WithId; urls: Record<string, string> };

const tokenOf = (url = '') => (url.split('/').at(-1) ?? '').replace('.ics', '');
const page =
  (name: string, more = ''): AccessPath<Links> =>
  async ({ there, urls }) =>
  async () =>
    (await fetchAddress(there, `${urls[name]}${more}`)).status === 200;
const content =
  (name: string): AccessPath<Links> =>
  async ({ there, urls }) =>
  async () =>
    (await there.call(`GET /public-links/${tokenOf(urls[name])}`)).status === 200;

async function prepareLinks(nodes: Nodes): Promise<Links> {
  const { here, alice } = nodes;
  const picture = await uploadPicture(here, alice, 'navy');
  const group = await createGroup(here, alice, 'Choir', { avatar_file_id: picture.id });
  const event = await createEvent(here, alice);
  const { url } = await shareEvent(here, event, alice, [], true);
  const feed = await ask(here, alice, 'GET /calendar/feed');
  const link = await ask(here, alice, 'POST /location/links', { expires_at: inSeconds(here, 3600) });
  await reportPosition(here, alice);
  const invite = await inviteByMail(here, alice, 'zoe@example.org');
  const urls = {
    group: `http://asterism.test/g/${await createGroupLink(here, group, alice)}`,
    event: url,
    feed: feed.body.url,
    location: link.body.url,
    invite: `http://asterism.test/i/${await inviteTokenOf(here, 'zoe@example.org')}`,
  };
  return { ...nodes, group, event, link_id: link.body.id, invite: invite.body, urls };
}

const of_links = {
  group: {
    'the page of a group': page('group'),
    'the picture of a group': page('group', '/picture'),
    'the preview of a group': page('group', '/card.png'),
    'the content of the link of a group': content('group'),
    'joining a group':
      async ({ there, carol, urls }) =>
      async () =>
        (await joinByLink(there, tokenOf(urls['group']), carol)).status === 200,
  },
  event: {
    'the page of an event': page('event'),
    'the file of an event': page('event', '.ics'),
    'the preview of an event': page('event', '/card.png'),
    'the content of the link of an event': content('event'),
  },
  feed: { 'a calendar feed': page('feed'), 'the content of the link of a feed': content('feed') },
  location: {
    'the page of a position': page('location'),
    'the content of the link of a position': content('location'),
  },
  invite: { 'the content of the link of an invite': content('invite') },
} satisfies Record<string, Record<string, AccessPath<Links>>>;

const namesOf = (...kinds: (keyof typeof of_links)[]) => kinds.flatMap((kind) => Object.keys(of_links[kind]));

testRevocations<Links>(find, {
  prepare: prepareLinks,
  revocations: {
    'the end of each link': async ({ here, alice, group, event, link_id, invite }) => {
      await ask(here, alice, `DELETE /groups/${group.id}/link`);
      await ask(here, alice, `DELETE /calendar/events/${event.id}/share`);
      await ask(here, alice, 'DELETE /calendar/feed');
      await ask(here, alice, `DELETE /location/links/${link_id}`);
      await ask(here, alice, `DELETE /invites/${invite.id}`);
    },
    'new links': async ({ here, alice, group, event }) => {
      await ask(here, alice, `DELETE /groups/${group.id}/link`);
      await createGroupLink(here, group, alice);
      await shareEvent(here, event, alice, [], false);
      await shareEvent(here, event, alice, [], true);
      await ask(here, alice, 'POST /calendar/feed/regenerate');
    },
    'the deletion of each thing': async ({ here, alice, group, event }) => {
      await ask(here, alice, `DELETE /groups/${group.id}`);
      await ask(here, alice, `DELETE /calendar/events/${event.id}`);
    },
    'the suspension of their owner': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
    'the deletion of their owner': ({ here, alice }) => ask(here, alice, 'DELETE /me', { password: alice.password }),
  },
  open: {
    'new links': namesOf('location', 'invite'),
    'the deletion of each thing': namesOf('location', 'invite', 'feed'),
  },
  access_paths: Object.assign({}, ...Object.values(of_links)) as Record<string, AccessPath<Links>>,
});

type Shared = Nodes & { tag: WithId; contact: WithId };
type EndsOfSharing = Record<string, (scene: Shared) => Promise<unknown>>;

/** Tests what ends the sharing of a position with bob in one way. */
const testSharing = (mode: string, revocations: EndsOfSharing) =>
  testRevocations<Shared>(find, {
    async prepare(nodes) {
      const { here, alice, bob } = nodes;
      const tag = await createTag(here, alice, 'club');
      await follow(here, tag, bob);
      const contact = await addContact(here, alice, { phones: [{ number: bob.mobile_number }] });
      await changeSharing(here, alice, { mode, people: mode === 'selected' ? [bob.id] : [] });
      await reportPosition(here, alice);
      return { ...nodes, tag, contact };
    },
    revocations,
    access_paths: {
      [`a position shared with ${mode}`]:
        async ({ there, bob }) =>
        async () =>
          (await visibleNames(there, bob)).includes('alice'),
    },
  });

const ends_of_sharing: EndsOfSharing = {
  'sharing with nobody': ({ here, alice }) => changeSharing(here, alice, { mode: 'off' }),
  'sharing with somebody else': ({ here, alice, carol }) =>
    changeSharing(here, alice, { mode: 'selected', people: [carol.id] }),
  'a block': ({ here, alice, bob }) => block(here, alice, bob),
  'a block by the viewer': ({ here, alice, bob }) => block(here, bob, alice),
};
testSharing('selected', ends_of_sharing);
testSharing('followers', ends_of_sharing);
testSharing('contacts', {
  ...ends_of_sharing,
  'the deletion of a contact': ({ here, alice, contact }) => ask(here, alice, `DELETE /contacts/${contact.id}`),
  'no number of a contact': ({ here, alice, contact }) =>
    ask(here, alice, `PATCH /contacts/${contact.id}`, { phones: [] }),
});

type Roles = Nodes & { group: WithId; join_code: string; participant_id: string; waiting: WithId };

testRevocations<Roles>(find, {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    const group = await createGroup(here, alice, 'Choir');
    await joinGroup(here, group, alice, bob);
    await setGroupAdmin(here, group, bob, alice);
    const { join_code, conference_id } = await startOpenCall(here, alice, [bob]);
    await requestGrants(here, join_code, alice, bob);
    await connectMedia(here, conference_id, alice, bob);
    const { body: call } = await ask(here, alice, `GET /calls/${join_code}`);
    const { id } = call.participants.find(({ user }: { user: WithId | null }) => user?.id === bob.id);
    await ask(here, alice, `PUT /calls/active/participants/${id}/role`, { role: 'co_host' });
    const { body } = await requestEntry(here, join_code);
    return { ...nodes, group, join_code, participant_id: id, waiting: body.guest };
  },
  revocations: {
    'the end of a role': async ({ here, alice, bob, group, participant_id }) => {
      await setGroupAdmin(here, group, bob, alice, 'DELETE');
      await ask(here, alice, `PUT /calls/active/participants/${participant_id}/role`, { role: 'guest' });
    },
  },
  access_paths: {
    'the link of a group':
      async ({ there, bob, group }) =>
      async () =>
        (await ask(there, bob, `PUT /groups/${group.id}/link`)).status < 300,
    'the name of a group':
      async ({ there, bob, group }) =>
      async () =>
        (await ask(there, bob, `PATCH /groups/${group.id}`, { name: 'Chorus' })).status === 200,
    'the guests who wait for a call':
      async ({ there, bob, join_code }) =>
      async () =>
        (await ask(there, bob, `GET /calls/${join_code}/guests`)).status === 200,
    'the admission of guests':
      async ({ there, bob, join_code, waiting }) =>
      async () =>
        (await decideOnGuest(there, bob, join_code, waiting.id)).status === 200,
    'the settings of a call':
      async ({ there, bob }) =>
      async () =>
        (await ask(there, bob, 'PATCH /calls/active', { locked: true })).status === 200,
    'muting others':
      async ({ there, bob }) =>
      async () =>
        (await ask(there, bob, 'POST /calls/active/mute', {})).status < 300,
  },
});
