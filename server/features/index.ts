import type { Feature } from '../kernel/endpoint.ts';
import { abuseReports } from './abuse-reports/index.ts';
import { auth } from './auth/index.ts';
import { avatars } from './avatars/index.ts';
import { billing } from './billing/index.ts';
import { blocks } from './blocks/index.ts';
import { calendar } from './calendar/index.ts';
import { callChat } from './call-chat/index.ts';
import { callCaptions } from './call-captions/index.ts';
import { callGuests } from './call-guests/index.ts';
import { callHosting } from './call-hosting/index.ts';
import { callHistory } from './call-history/index.ts';
import { calls } from './calls/index.ts';
import { chatDetails } from './chat-details/index.ts';
import { chats } from './chats/index.ts';
import { clearedChats } from './cleared-chats/index.ts';
import { commands } from './commands/index.ts';
import { contacts } from './contacts/index.ts';
import { dm } from './dm/index.ts';
import { files } from './files/index.ts';
import { follows } from './follows/index.ts';
import { home } from './home/index.ts';
import { inbox } from './inbox/index.ts';
import { grid } from './grid/index.ts';
import { groupLinks } from './group-links/index.ts';
import { groups } from './groups/index.ts';
import { invites } from './invites/index.ts';
import { location } from './location/index.ts';
import { me } from './me/index.ts';
import { mutes } from './mutes/index.ts';
import { notifications } from './notifications/index.ts';
import { profiles } from './profiles/index.ts';
import { publicLinks } from './public-links/index.ts';
import { push } from './push/index.ts';
import { realtime } from './realtime/index.ts';
import { recordings } from './recordings/index.ts';
import { rooms } from './rooms/index.ts';
import { scheduledJobs } from './scheduled-jobs/index.ts';
import { statuses } from './statuses/index.ts';
import { tags } from './tags/index.ts';
import { videomail } from './videomail/index.ts';
import { widgetChats } from './widget-chats/index.ts';
import { widgets } from './widgets/index.ts';

/** Every area of the service. */
export const features: Feature[] = [
  auth,
  me,
  tags,
  follows,
  statuses,
  profiles,
  abuseReports,
  notifications,
  calls,
  callChat,
  chatDetails,
  callGuests,
  callHosting,
  callCaptions,
  rooms,
  grid,
  callHistory,
  recordings,
  dm,
  inbox,
  videomail,
  realtime,
  push,
  avatars,
  // After inbox and recordings, which transfer or release their files.
  files,
  contacts,
  groups,
  groupLinks,
  invites,
  location,
  chats,
  clearedChats,
  widgetChats,
  widgets,
  billing,
  scheduledJobs,
  commands,
  calendar,
  publicLinks,
  home,
  mutes,
  // Last, since purging an account's other rows still looks up its blocks.
  blocks,
];
