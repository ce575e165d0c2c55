/**
 * What the pages of the client need first. `index.html` requests it beside the client's first script, which would
 * request it once it runs. A page that is missing here opens as well, but later.
 */

/** The pages whose address matches. */
export interface FirstPage {
  /** A regular expression for the path below `/app`, with its query. */
  readonly address: string;
  /** The modules that `app/pages.ts` loads for it, below `src`. */
  readonly modules: readonly string[];
  /** The paths below `/v1` that it reads in any case; `$1` is the first group of the address. */
  readonly requests?: readonly string[];
  /** Whether it shows a heading before any script, which needs the font of headings. */
  readonly has_heading?: boolean;
}

/** Pages of an address that share a layout. */
const inside = (layouts: readonly string[], address: string, ...modules: string[]): FirstPage => ({
  address,
  modules: [...layouts, ...modules],
});

/** Pages for signed-out people; the last one is where every other address leads them. */
export const public_pages: readonly FirstPage[] = [
  { address: '^/(g|j)/', modules: ['features/calls/guest/guest-page.tsx'] },
  { address: '^/join-group/', modules: ['features/groups/join-group-page.tsx'] },
  { address: '', modules: ['features/auth/auth-pages.ts'], has_heading: true },
];

const chats = ['features/messages/chats-layout.tsx'];
const list_of_chats = ['/dm/threads?folder=main', '/home/group-chat?limit=100'];
const calls = ['features/history/calls-layout.tsx'];
const reading = ['app/reading-layout.tsx'];
const people = [...reading, 'app/people-layout.tsx'];
const own = [...reading, 'features/me/settings-pages.ts'];

/** Pages of a session; the first one that matches counts. */
export const session_pages: readonly FirstPage[] = [
  { address: '^/(\\?|$)', modules: ['features/home/home-page.tsx'], requests: ['/xtags?limit=100'] },
  {
    ...inside(chats, '^/messages/(thr_\\w+)$', 'features/messages/thread-page.tsx'),
    requests: [...list_of_chats, '/dm/threads/$1', '/dm/threads/$1/chat', '/messages/pinned?thread_id=$1&limit=50'],
  },
  {
    ...inside(chats, '^/messages/group/(grp_\\w+)$', 'features/messages/group-chat-page.tsx'),
    requests: [...list_of_chats, '/groups/$1', '/groups/$1/chat', '/messages/pinned?group_id=$1&limit=50'],
  },
  {
    ...inside(chats, '^/messages/group/', 'features/messages/group-chat-page.tsx'),
    requests: list_of_chats,
  },
  { ...inside(chats, '^/messages$', 'features/messages/no-chat.tsx'), requests: list_of_chats },
  inside(chats, '^/messages/(requests|archived)$', 'features/messages/no-chat.tsx'),
  inside(calls, '^/(inbox|calls|grid)$'),
  inside(calls, '^/calls/', 'features/history/past-call-page.tsx'),
  inside(people, '^/(people|contacts$|groups$)'),
  inside(people, '^/contacts/import$', 'features/contacts/import/import-page.tsx'),
  inside(people, '^/contacts/', 'features/contacts/contact-page.tsx'),
  inside(people, '^/groups/', 'features/groups/group-page.tsx'),
  inside(people, '^/t/', 'features/profiles/tag-profile-page.tsx'),
  inside(people, '^/u/', 'features/people/person-page.tsx'),
  inside(reading, '^/(notifications|search)'),
  inside(reading, '^/status/', 'features/statuses/status-page.tsx', 'features/statuses/replies.tsx'),
  inside(reading, '^/calendar/', 'features/calendar/event/event-page.tsx'),
  { address: '^/calendar', modules: ['features/calendar/calendar-page.tsx'] },
  inside(own, '^/settings/notifications$', 'features/notifications/notification-settings-page.tsx'),
  inside(own, '^/settings/mutes$', 'features/blocks/mutes-page.tsx'),
  inside(own, '^/settings/blocks$', 'features/blocks/blocks-page.tsx'),
  inside(own, '^/settings/plan$', 'features/billing/plan-page.tsx'),
  inside(own, '^/(settings|verify-mobile)'),
  inside(own, '^/scheduled$', 'features/scheduled/scheduled-page.tsx'),
  inside(own, '^/tags$', 'features/tags/tags-page.tsx'),
  inside(own, '^/tags/\\w+$', 'features/tags/tag-page.tsx'),
  inside(own, '^/invites$', 'features/invites/invites-page.tsx'),
  inside(own, '^/widgets$', 'features/widgets/widgets-page.tsx'),
  inside(own, '^/widgets/', 'features/widgets/widget-page.tsx'),
  inside(own, '^/call-test$', 'features/calls/lobby/call-test-page.tsx'),
  // Without the map itself, whose library would delay everything else.
  { address: '^/map$', modules: ['features/location/map-page.tsx'] },
  { address: '^/share', modules: ['features/share/share-page.tsx'] },
  { address: '^/videomail/', modules: ['features/videomail/videomail-page.tsx'] },
  { address: '^/j/', modules: ['features/calls/lobby/join-page.tsx'] },
  ...public_pages.slice(0, -1),
];
