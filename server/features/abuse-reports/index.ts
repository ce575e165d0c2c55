import { barFurtherReplay } from '../../domain/moderation/hidden-streams.ts';
import { hideFurtherNotifications } from '../../domain/moderation/notifications-about.ts';
import { hideReplies } from '../../domain/moderation/suspension.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createAbuseReport } from './create-abuse-report.ts';

export const abuseReports = feature({
  area: 'abuse-reports',
  title: 'Abuse reports',
  endpoints: [createAbuseReport],
  jobs: [hideReplies, hideFurtherNotifications, barFurtherReplay],
});
