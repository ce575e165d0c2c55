/** The pages of which the gallery has pictures, by the names of the pictures. */
import type { SampleData } from './sample-data.ts';
import type { SampleHistory } from './sample-history.ts';

type NamedPage = readonly [name: string, path: string];

/** The pages of the client in that service, as Ada sees them: names, and paths below `/app/` or from the root. */
export const pagesOf = ({
  ben,
  tag_id,
  post_id,
  group_id,
  group_token,
  thread_id,
  event_id,
  contact_id,
  widget_id,
}: SampleData): NamedPage[] => [
  ['home', ''],
  ['chats', 'messages'],
  ['chat', `messages/${thread_id}`],
  ['group-chat', `messages/group/${group_id}`],
  ['requests', 'messages/requests'],
  ['archived', 'messages/archived'],
  ['share', 'share'],
  ['calls', 'calls'],
  ['inbox', 'inbox'],
  ['favourites', 'grid'],
  ['videomail', 'videomail/ben'],
  ['people', 'people'],
  ['followers', 'people/followers'],
  ['follow-requests', 'people/requests'],
  ['person', `u/${ben.id}`],
  ['contacts', 'contacts'],
  ['contact', `contacts/${contact_id}`],
  ['import', 'contacts/import'],
  ['groups', 'groups'],
  ['group', `groups/${group_id}`],
  ['join-group', `join-group/${group_token}`],
  ['calendar-month', 'calendar'],
  ['calendar-week', 'calendar?view=week'],
  ['event', `calendar/${event_id}`],
  ['scheduled', 'scheduled'],
  ['search', 'search?q=jazz'],
  ['tags', 'tags'],
  ['tag', `tags/${tag_id}`],
  ['tag-profile', 't/jazz'],
  ['status', `status/${post_id}`],
  ['activity', 'notifications'],
  ['invites', 'invites'],
  ['widgets', 'widgets'],
  ['widget', `widgets/${widget_id}`],
  ['map', 'map'],
  ['you', 'settings'],
  ['profile', 'settings/profile'],
  ['notification-settings', 'settings/notifications'],
  ['mutes', 'settings/mutes'],
  ['blocks', 'settings/blocks'],
  ['sessions', 'settings/sessions'],
  ['password', 'settings/password'],
  ['handles', 'settings/handles'],
  ['plan', 'settings/plan'],
  ['delete-account', 'settings/delete'],
  ['mobile', 'verify-mobile'],
  ['call-test', 'call-test'],
  ['dead-link', 'j/aaa-bbbb-ccc'],
  ['guest-refused', 'g/aaa-bbbb-ccc'],
  ['public-tag', '/t/jazz'],
  ['not-found', '/nope'],
];

/** The pages of the client for visitors who have no account or are signed out: names, and paths below `/app/`. */
export const visitor_pages: readonly NamedPage[] = [
  ['sign-in', 'sign-in'],
  ['sign-in-code', 'sign-in/code?login_id=x&channel=email&sent_to=ada%40example.org'],
  ['register', 'register'],
  ['register-code', 'register/code?registration_id=x&channel=email&sent_to=freya%40example.org'],
  ['magic-link', 'magic-link'],
  ['magic', 'magic?token=x'],
  ['forgot', 'forgot'],
  ['reset', 'reset?token=x'],
  ['revoked-group-link', 'join-group/x'],
];

/** The pages of a call that is over, and of conversations with guests, as Ada sees them: names, and paths below `/app/`. */
export const historyPagesOf = ({ conference_id, guest_id }: SampleHistory, { widget_id }: SampleData): NamedPage[] => [
  ['past-call', `calls/${conference_id}`],
  ['call-chat', `messages/call/${conference_id}`],
  ['widget-chat', `messages/widget/${widget_id}/${guest_id}`],
];

/** What visitors without an account see behind links: names, and addresses. */
export const linkPagesOf = (
  { invite_url, event_url, location_url }: SampleHistory,
  { group_url }: SampleData,
): NamedPage[] => [
  ['invite-link', invite_url],
  ['event-link', event_url],
  ['location-link', location_url],
  ['group-link', group_url],
  ['old-invite-link', `${invite_url.slice(0, -4)}AAAA`],
];
