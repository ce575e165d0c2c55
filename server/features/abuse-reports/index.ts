import { barFurtherReplay, hideFurtherNotifications, hideReplies } from '../../domain/moderation/hiding.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createAbuseReport } from './create-abuse-report.ts';

export const abuseReports = feature({
  area: 'abuse-reports',
  title: 'Abuse reports',
  endpoints: [createAbuseReport],
  jobs: [hideReplies, hideFurtherNotifications, barFurtherReplay],
});
