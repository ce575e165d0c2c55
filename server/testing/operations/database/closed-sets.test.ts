/** The closed sets of values that the database checks are those of the code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call_states, end_reasons, participant_states } from '../../../domain/calls/state/call-machine.ts';
import {
  chat_history_values,
  guests_values,
  leg_states,
  media_values,
  privacy_values,
} from '../../../domain/calls/state/calls.ts';
import { admission_values } from '../../../domain/calls/link-guests.ts';
import { recording_states } from '../../../domain/calls/recording/recordings.ts';
import { role_values } from '../../../domain/calls/state/transition.ts';
import { challenge_channels, challenge_purposes } from '../../../domain/accounts/challenges.ts';
import { checkout_states, renewal_stoppers, subscription_states } from '../../../domain/billing/plans.ts';
import { message_kinds } from '../../../domain/chat/messages.ts';
import { import_sources } from '../../../domain/contacts/contact-imports.ts';
import { invite_states as group_invite_states } from '../../../domain/contacts/group-invites.ts';
import { invite_channels, invite_states } from '../../../domain/contacts/invites.ts';
import { file_kinds, file_subjects } from '../../../domain/files/files.ts';
import { location_precisions } from '../../../domain/location/positions.ts';
import { inbox_kinds } from '../../../domain/inbox/inbox.ts';
import { thread_folders, thread_states } from '../../../domain/messages/threads.ts';
import { moderation_acts } from '../../../domain/moderation/moderation-acts.ts';
import { report_states } from '../../../domain/moderation/reports.ts';
import { link_kinds } from '../../../domain/public-links/links.ts';
import { job_kinds } from '../../../domain/scheduling/job-kinds.ts';
import { job_states } from '../../../features/scheduled-jobs/rules/scheduled-jobs.ts';
import { status_visibilities } from '../../../domain/social/statuses.ts';
import { request_states } from '../../../domain/social/follow-requests.ts';
import { follow_policies, visibility_values } from '../../../domain/social/tags.ts';
import { widget_kinds } from '../../../domain/widgets/widgets.ts';
import { report_reasons, target_types } from '../../../features/abuse-reports/schemas.ts';
import { location_modes } from '../../../features/location/schemas.ts';
import { platforms } from '../../../features/push/schemas.ts';
import { link_purposes } from '../../../features/auth/jobs.ts';
import { import_states } from '../../../features/contacts/schemas.ts';
import { token_kinds } from '../../../domain/sessions/sessions.ts';
import { tiers } from '../../../kernel/caller.ts';
import { createWorld, type World } from '../../world/world.ts';

/** The values of each column in the code. */
const in_code: Record<string, readonly string[]> = {
  'abuse_reports.reason': report_reasons,
  'abuse_reports.state': report_states,
  'abuse_reports.target_type': target_types,
  'call_legs.state': leg_states,
  'call_messages.kind': message_kinds,
  'call_participants.role': role_values,
  'call_participants.state': participant_states,
  'calls.chat_history': chat_history_values,
  'calls.end_reason': end_reasons,
  'calls.guests': guests_values,
  'calls.media': media_values,
  'calls.privacy': privacy_values,
  'calls.state': call_states,
  'challenges.channel': challenge_channels,
  'challenges.purpose': challenge_purposes,
  'chat_messages.kind': message_kinds,
  'checkouts.state': checkout_states,
  'subscriptions.renewal_stopped_by': renewal_stoppers,
  'contact_import_previews.source': import_sources,
  'contact_imports.source': import_sources,
  'contact_imports.state': import_states,
  'dm_members.folder': thread_folders,
  'dm_threads.state': thread_states,
  'file_uses.subject_type': file_subjects,
  'files.kind': file_kinds,
  // An expired request is in no list.
  'follow_requests.state': [...request_states, 'expired'],
  // A member who left is shown as having accepted.
  'group_invites.state': [...group_invite_states, 'left'],
  'guests.admission': admission_values,
  'inbox_messages.kind': inbox_kinds,
  'invites.channel': invite_channels,
  'invites.state': invite_states,
  'lasting_rooms.guests': guests_values,
  // Rooms of groups are for their members.
  'lasting_rooms.privacy': [...privacy_values, 'members'],
  'location_links.precision': location_precisions,
  'location_settings.mode': location_modes,
  'location_settings.precision': location_precisions,
  'moderation_acts.act': moderation_acts,
  'public_links.kind': link_kinds,
  'push_tokens.platform': platforms,
  'recordings.state': recording_states,
  'scheduled_jobs.kind': job_kinds,
  'scheduled_jobs.state': job_states,
  'scheduled_jobs.visibility': status_visibilities,
  'sent_links.purpose': Object.keys(link_purposes),
  'session_tokens.kind': token_kinds,
  'statuses.visibility': status_visibilities,
  'subscriptions.state': subscription_states,
  'tags.follow_policy': follow_policies,
  'tags.visibility': visibility_values,
  'users.tier': tiers,
  'widgets.kind': widget_kinds,
};

/** Columns whose name suggests one of a set, but whose set is open: each with its reason. */
const open_sets: Record<string, string> = {
  'files.content_type': 'a media type (RFC 6838)',
  'moderation_acts.reason': 'what the operator wrote',
  'events.type': 'each event has its own, in the code of its area',
  'moderation_acts.target_type': 'each act has its own',
  'notifications.kind': 'in one table of the code, which grows',
  'notifications.subject_type': 'in the same table',
};

describe('closed sets', () => {
  let world: World;
  let checked: Map<string, string[]>;
  beforeAll(async () => {
    world = await createWorld({ peopled: false });
    const { rows } = await world.app.services.db.native.query<{ column: string; definition: string }>(`
      select c.relname || '.' || a.attname as column, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and array_length(k.conkey, 1) = 1`);
    checked = new Map(
      rows
        .filter(({ definition }) => definition.includes('= ANY (ARRAY['))
        .map(({ column, definition }) => [
          column,
          [...definition.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? ''),
        ]),
    );
  });
  afterAll(() => world.close());

  it.each(Object.entries(in_code))('%s allows exactly the values of the code', (column, values) => {
    expect(checked.get(column)?.toSorted()).toEqual([...values].sort());
  });

  it('every column with a check is compared with the code', () => {
    expect([...checked.keys()].filter((column) => !(column in in_code)).sort()).toEqual([]);
  });

  it('every column that holds one of a set has a check', async () => {
    const { rows } = await world.app.services.db.native.query<{ column: string }>(`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and table_name not like 'kysely%'
        and column_name ~ '(^|_)(state|kind|type|role|privacy|visibility|media|purpose|channel|platform|tier|mode|policy|precision|reason)$'`);
    const unchecked = rows.map(({ column }) => column).filter((column) => !checked.has(column));
    expect(unchecked.filter((column) => !(column in open_sets)).sort()).toEqual([]);
  });
});
