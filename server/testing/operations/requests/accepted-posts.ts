/** An accepted request for each POST whose random bodies are all rejected: its preconditions, and its body. */
import { buyPlus } from '../../steps/billing.ts';
import { event_defaults, createEvent } from '../../steps/calendar.ts';
import { startCall } from '../../steps/calls.ts';
import { addContact, importLines, previewLines } from '../../steps/contacts.ts';
import { origin } from '../../steps/widgets.ts';
import { createTag } from '../../steps/follows.ts';
import { createGroup, createGroupLink, invitesOf, inviteToGroup, joinGroup } from '../../steps/groups.ts';
import { requestEntry, startOpenCall } from '../../steps/link-guests.ts';
import { openThread, sendMessage } from '../../steps/messages.ts';
import { newestLinkToken, password, type Persona, type Personas } from '../../world/personas.ts';
import { inSeconds, runDueJobs, schedule } from '../../steps/scheduled-jobs.ts';
import type { World } from '../../world/world.ts';

/** The account that sends, if any; the path, by default that of the random requests; and the body. */
export type AcceptedPost = { who?: Persona; path?: string; body?: object };
type Prepare = (world: World, people: Personas) => AcceptedPost | Promise<AcceptedPost>;

const callOpen = async (world: World, route: string, body: object) => (await world.call(route, { body })).body;

/** Creates a message request from a stranger to alice. */
async function requestOf(world: World, { alice, carol }: Personas): Promise<string> {
  const thread = await openThread(world, carol, alice);
  await sendMessage(world, thread, carol, 'Hello');
  return `/dm/threads/${thread.id}`;
}

/** Invites carol into a group of bob. */
async function groupInviteOf(world: World, { bob, carol }: Personas): Promise<string> {
  await inviteToGroup(world, await createGroup(world, bob, 'Choir'), bob, carol);
  const [invite] = await invitesOf(world, carol);
  return `/group-invites/${invite.id}`;
}

/** Bob, who has bought the paid plan. */
async function subscriberOf(world: World, { bob: who }: Personas): Promise<AcceptedPost> {
  const { tier } = (await world.call('GET /billing/subscription', { token: who.token })).body;
  if (tier === 'free') await buyPlus(world, who);
  return { who, body: {} };
}

/** The requests, by the path of their operation. */
export const accepted_posts: Record<string, Prepare> = {
  '/auth/register': () => ({ body: { username: 'fresh', password, email: 'fresh@example.org' } }),
  '/auth/register/resend': async (world) => {
    const account = { username: 'fresh', password, email: 'fresh@example.org' };
    const { registration_id } = await callOpen(world, 'POST /auth/register', account);
    return { body: { registration_id } };
  },
  '/auth/login/resend': async (world) => {
    const { login_id } = await callOpen(world, 'POST /auth/login', { username: 'carol', password });
    return { body: { login_id } };
  },
  '/auth/reset': async (world, { carol }) => {
    await callOpen(world, 'POST /auth/forgot', { identifier: 'carol' });
    return { body: { token: await newestLinkToken(world, carol.email), password: 'a brand new meadow' } };
  },
  '/abuse-reports': (_world, { alice: who, bob }) => ({
    who,
    body: { target_type: 'user', target_id: bob.id, reason: 'spam' },
  }),
  '/calls': (_world, { carol: who }) => ({ who, body: { to: [] } }),
  '/calls/{join_code}/chat': (_world, { alice: who }) => ({ who, body: { body: 'Once' } }),
  '/calls/{join_code}/decline': async (world, { alice, carol: who }) => {
    await world.call('DELETE /calls/active', { token: alice.token });
    const { join_code } = await startCall(world, alice, [who]);
    return { who, path: `/calls/${join_code}/decline` };
  },
  '/calls/{join_code}/guests/{guest_id}': async (world, { carol: who }) => {
    const { join_code } = await startOpenCall(world, who);
    const { guest } = (await requestEntry(world, join_code)).body;
    return { who, path: `/calls/${join_code}/guests/${guest.id}`, body: { action: 'admit' } };
  },
  '/grid/calls': async (world, { carol: who, bob }) => {
    const contact = await addContact(world, who, { name: 'Bob', phones: [{ number: bob.mobile_number }] });
    await world.call('POST /grid/members', { token: who.token, body: { contact_id: contact.id } });
    return { who, body: {} };
  },
  '/dm/threads': (_world, { alice: who, carol }) => ({ who, body: { user_id: carol.id } }),
  '/dm/threads/{thread_id}/accept': async (world, people) => ({
    who: people.alice,
    path: `${await requestOf(world, people)}/accept`,
  }),
  '/dm/threads/{thread_id}/decline': async (world, people) => ({
    who: people.alice,
    path: `${await requestOf(world, people)}/decline`,
  }),
  '/dm/threads/{thread_id}/chat': (_world, { alice: who }) => ({ who, body: { body: 'Once' } }),
  '/contacts/import': async (world, { alice: who }) => {
    const { preview_id } = (await previewLines(world, who, ['Ann,+14155550199,,'])).body;
    return { who, body: { preview_id } };
  },
  '/contacts/imports/{batch_id}/rollback': async (world, { alice: who }) => {
    const batch = await importLines(world, who, ['Ann,+14155550199,,']);
    return { who, path: `/contacts/imports/${batch.id}/rollback` };
  },
  '/group-links/{token}/join': async (world, { alice, carol: who }) => {
    const token = await createGroupLink(world, await createGroup(world, alice, 'Open choir'), alice);
    return { who, path: `/group-links/${token}/join` };
  },
  '/groups/{group_id}/chat': (_world, { alice: who }) => ({ who, body: { body: 'Once' } }),
  '/groups/{group_id}/transfer': async (world, { alice: who, carol }) => {
    const group = await createGroup(world, who, 'Given away');
    await joinGroup(world, group, who, carol);
    return { who, path: `/groups/${group.id}/transfer`, body: { user_id: carol.id } };
  },
  '/groups/{group_id}/leave': async (world, { alice, carol: who }) => {
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, who);
    return { who, path: `/groups/${group.id}/leave` };
  },
  '/group-invites/{invite_id}/accept': async (world, people) => ({
    who: people.carol,
    path: `${await groupInviteOf(world, people)}/accept`,
  }),
  '/group-invites/{invite_id}/decline': async (world, people) => ({
    who: people.carol,
    path: `${await groupInviteOf(world, people)}/decline`,
  }),
  '/location/links': (world, { alice: who }) => ({ who, body: { expires_at: inSeconds(world, 3600) } }),
  '/widgets/{widget_id}/chat': (_world, { alice: who }) => ({ who, body: { body: 'Once' } }),
  '/widgets': async (world, { alice: who }) => {
    const tag = await createTag(world, who, 'widget-of-once');
    return { who, body: { tag_id: tag.id, kind: 'chat', allowed_origins: [origin] } };
  },
  '/billing/checkout': (_world, { carol: who }) => ({ who, body: {} }),
  '/billing/portal': subscriberOf,
  '/billing/subscription/resume': subscriberOf,
  '/scheduled-jobs': (world, { alice: who }) => ({
    who,
    body: { kind: 'reminder', body: 'Water', run_at: inSeconds(world, 60) },
  }),
  '/scheduled-jobs/{job_id}/retry': async (world, { alice: who, bob }) => {
    await world.call('PATCH /me', { token: bob.token, body: { reach: { message: 'none' } } });
    const job = await schedule(world, who, { kind: 'text', target: { user_id: bob.id }, body: 'Hello' });
    await runDueJobs(world);
    return { who, path: `/scheduled-jobs/${job.id}/retry`, body: {} };
  },
  '/commands': (_world, { alice: who }) => ({ who, body: { text: 'help' } }),
  '/calendar/events': (_world, { alice: who }) => ({ who, body: event_defaults }),
  '/calendar/events/{event_id}/exdates': async (world, { alice: who }) => {
    const event = await createEvent(world, who, { rrule: 'FREQ=DAILY' });
    return { who, path: `/calendar/events/${event.id}/exdates`, body: { starts_at: '2030-03-05T09:00:00Z' } };
  },
  '/calendar/sync/ack': async (world, { alice: who }) => {
    const { cursor } = (await world.call('GET /calendar/sync', { token: who.token })).body;
    return { who, body: { cursor } };
  },
};
