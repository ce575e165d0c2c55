/**
 * Rows of every kind for a large number of people: thousands of each for the most popular person, and a few for
 * everybody.
 */
import type pg from 'pg';
import { crowd_people, crowdId } from './crowd.ts';

/** The person with many rows. */
export const popular_user = crowdId('usr', crowd_people.famous);
const popular_group = crowdId('grp', crowd_people.famous);

/** The join code of a call with very many guests and messages. */
export const popular_call_code = 'abc-defg-hij';
const popular_call = crowdId('conf', crowd_people.famous);
const popular_widget = crowdId('wid', crowd_people.famous);

/** Tables that grow with the service: a scan of one of these is a defect. */
export const large_tables = [
  'users',
  'tags',
  'follows',
  'follow_requests',
  'statuses',
  'replies',
  'notifications',
  'comments',
  'blocks',
  'mutes',
  'files',
  'contacts',
  'contact_addresses',
  'groups',
  'group_members',
  'group_invites',
  'contact_imports',
  'dm_threads',
  'dm_messages',
  'dm_members',
  'dm_reactions',
  'dm_edits',
  'chat_messages',
  'chat_reactions',
  'chat_edits',
  'group_chat_reads',
  'chat_hidden_runs',
  'widgets',
  'guests',
  'scheduled_jobs',
  'calendar_events',
  'calendar_guests',
  'calendar_changes',
  'invites',
  'location_settings',
  'location_viewers',
  'locations',
  'location_links',
  'location_views',
  'calls',
  'call_participants',
  'call_messages',
  'inbox_messages',
  'recordings',
  'recording_listeners',
];
/** Inserts thousands of rows of each kind for the popular person and one of their statuses, and a few for everybody. */
export async function insertRelatedRows(to: pg.Client): Promise<void> {
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  const statements = [
    `insert into replies (id, status_id, author_id, body, created_at)
     select ${id('reply')}, '${crowdId('post', 1)}', ${id('usr')}, 'x', now() from generate_series(1, 2500) n`,
    `insert into notifications (id, user_id, kind, subject_type, subject_id, created_at)
     select ${id('note')}, '${popular_user}', 'follow', 'tag', ${id('tag')}, now() from generate_series(1, 2500) n`,
    `insert into notifications (id, user_id, kind, subject_type, subject_id, created_at)
     select 'note_' || lpad((n + 10000)::text, 26, '0'), ${id('usr')}, 'mention', 'status', ${id('post')}, now()
     from generate_series(2, 3000) n`,
    `insert into notification_acts (source_id, user_id, notification_id, actor_id, created_at)
     select ${id('fol')}, '${popular_user}', ${id('note')}, ${id('usr')}, now() from generate_series(1, 2500) n`,
    `insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, expires_at)
     select ${id('freq')}, '${crowdId('tag', 1)}', '${popular_user}', ${id('usr')}, 'pending', '', now(), now() + interval '9 days'
     from generate_series(2, 2500) n`,
    `insert into follow_requests (id, tag_id, owner_id, user_id, state, message, created_at, expires_at)
     select 'freq_' || lpad((n + 10000)::text, 26, '0'), ${id('tag')}, ${id('usr')}, '${popular_user}', 'pending', '', now(),
            now() + interval '9 days' from generate_series(2, 3000) n`,
    `insert into blocks (id, blocker_id, blocked_id, created_at)
     select ${id('blk')}, ${id('usr')}, 'usr_' || lpad((n + 1)::text, 26, '0'), now() from generate_series(50, 2500) n`,
    `insert into mutes (id, user_id, muted_id, created_at)
     select ${id('mute')}, ${id('usr')}, 'usr_' || lpad((n + 1)::text, 26, '0'), now() from generate_series(50, 2500) n`,
    `insert into comments (id, tag_id, author_id, body, created_at)
     select ${id('cmt')}, '${crowdId('tag', 1)}', ${id('usr')}, 'x', now() from generate_series(1, 2500) n`,
    ...[`'${popular_user}'`, id('usr')].map(
      (
        owner,
        at,
      ) => `insert into contacts (id, owner_id, name, phones, emails, tag_name, im, note, favourite, created_at, updated_at)
     select 'con_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'Contact ' || n,
            jsonb_build_array(jsonb_build_object('label', 'x', 'number', '+1416555' || lpad((n + 1)::text, 5, '0'))), '[]',
            'crowd-' || n, '[]', '', n % 100 = 0, now(), now()
     from generate_series(1, 2500) n`,
    ),
    `insert into groups (id, owner_id, name, description, created_at)
     select ${id('grp')}, ${id('usr')}, 'Group ' || n, '', now() from generate_series(1, 3000) n`,
    `insert into group_members (group_id, contact_id, added_at)
     select ${id('grp')}, 'con_' || lpad((n + 10000)::text, 26, '0'), now() from generate_series(1, 2500) n`,
    `insert into contact_imports (id, owner_id, source, state, created, updated, skipped, created_at)
     select ${id('imp')}, ${id('usr')}, 'csv', 'committed', 1, 0, 0, now() from generate_series(1, 3000) n`,
    ...['pending', 'accepted'].map(
      (state, at) => `insert into group_invites (id, group_id, user_id, state, created_at)
     select 'ginv_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${id('grp')}, '${popular_user}', '${state}', now()
     from generate_series(${at} * 1500 + 2, ${at} * 1500 + 1500) n`,
    ),
    `insert into dm_threads (id, low_id, high_id, initiator_id, state, has_messages, created_at)
     select ${id('thr')}, '${popular_user}', ${id('usr')}, ${id('usr')}, case n % 3 when 0 then 'pending' else 'active' end,
            true, now() from generate_series(2, 2500) n`,
    `insert into dm_members (thread_id, user_id, peer_id, folder, sort_key, unread_count)
     select ${id('thr')}, '${popular_user}', ${id('usr')}, case n % 3 when 0 then 'requests' else 'main' end,
            lpad(n::text, 26, '0'), case n % 25 when 0 then 1 else 0 end from generate_series(2, 2500) n
     union all
     select ${id('thr')}, ${id('usr')}, '${popular_user}', 'main', lpad(n::text, 26, '0'), 0 from generate_series(2, 2500) n`,
    `insert into dm_messages (id, thread_id, sender_id, body, created_at)
     select ${id('dm')}, ${id('thr')}, ${id('usr')}, 'x', now() from generate_series(2, 2500) n
     union all
     select 'dm_' || lpad((n + 10000)::text, 26, '0'), '${crowdId('thr', 2)}', '${popular_user}', 'x', now()
     from generate_series(1, 2500) n`,
    `insert into widgets (id, owner_id, tag_id, group_id, kind, title, theme, allowed_origins, enabled, public_key, guests_since, created_at)
     select ${id('wid')}, ${id('usr')}, ${id('tag')}, ${id('grp')}, 'chat', '', '{"accent": null, "mode": "auto", "position": "left"}', array['https://a.example'], true,
            'key' || n, now(), now() from generate_series(1, 2500) n`,
    `insert into guests (id, widget_id, name, token_hash, created_at, expires_at)
     select ${id('gst')}, ${id('wid')}, 'Guest', 'hash' || n, now(), now() from generate_series(1, 2500) n`,
    `insert into chat_messages (id, group_id, author_id, kind, body, created_at)
     select ${id('chat')}, case when n % 2 = 0 then '${popular_group}' else ${id('grp')} end, ${id('usr')}, 'text', 'x', now()
     from generate_series(1, 2500) n`,
    `insert into chat_messages (id, widget_id, guest_id, kind, body, created_at)
     select 'chat_' || lpad((n + 10000)::text, 26, '0'), case when n % 2 = 0 then '${popular_widget}' else ${id('wid')} end,
            ${id('gst')}, 'text', 'x', now() from generate_series(1, 2500) n`,
    ...['dm', 'chat'].flatMap((family) => [
      `insert into ${family}_reactions (message_id, user_id, emoji, created_at)
       select '${family}_' || lpad(n::text, 26, '0'), ${id('usr')}, 'x', now() from generate_series(2, 2500) n
       union all
       select '${family}_' || lpad((n + 10000)::text, 26, '0'), '${popular_user}', 'x', now() from generate_series(1, 2500) n`,
      `insert into ${family}_edits (message_id, number, body, replaced_at)
       select '${family}_' || lpad(n::text, 26, '0'), 0, 'x', now() from generate_series(2, 2500) n`,
    ]),
    `insert into group_chat_reads (group_id, user_id, since_id) select ${id('grp')}, ${id('usr')}, ''
     from generate_series(1, 2500) n`,
    `insert into chat_hidden_runs (group_id, user_id, first_id, last_id) select ${id('grp')}, ${id('usr')}, '', ''
     from generate_series(1, 2500) n`,
    ...[`'${popular_user}'`, id('usr')].map(
      (owner, at) => `insert into calendar_events (id, owner_id, title, starts_at, ends_at, all_day, timezone, rrule,
       first_at, last_at, notified_until, created_at, updated_at)
     select 'evt_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'Event ' || n, t.at, t.at + interval '1 hour', false,
       'UTC', case when n % 50 = 0 then 'FREQ=YEARLY' end, t.at, case when n % 50 = 0 then 'infinity' else t.at + interval '1 hour' end,
       now(), now(), now()
     from generate_series(1, 2500) n, lateral (select '2030-01-01'::timestamptz + n * interval '1 hour' as at) t`,
    ),
    `insert into calendar_guests (event_id, user_id, created_at)
     select 'evt_' || lpad((n + 10000)::text, 26, '0'), '${popular_user}', now() from generate_series(2, 1000) n
     union all
     select 'evt_' || lpad((n % 2500 + 1)::text, 26, '0'), ${id('usr')}, now() from generate_series(2, 3000) n
     union all
     select 'evt_' || lpad((n % 2000 + 2)::text, 26, '0'), ${id('usr')}, now() from generate_series(2, 3000) n`,
    `insert into calendar_users (user_id, seq) select '${popular_user}', 2500 union all select ${id('usr')}, 1 from generate_series(2, 2500) n`,
    `insert into calendar_changes (user_id, event_id, seq) select '${popular_user}', ${id('evt')}, n from generate_series(1, 2500) n
     union all select ${id('usr')}, 'evt_' || lpad((n + 10000)::text, 26, '0'), 1 from generate_series(2, 2500) n`,
  ];
  statements.push(
    ...[`'${popular_user}'`, id('usr')].map(
      (
        owner,
        at,
      ) => `insert into scheduled_jobs (id, user_id, kind, body, run_at, timezone, state, next_run_at, due_at, created_at, ended_at)
     select 'job_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${owner}, 'reminder', 'x', now(), 'UTC',
            case n % 5 when 0 then 'scheduled' else 'done' end, now(), case n % 5 when 0 then now() end, now(),
            case n % 5 when 0 then null else now() end from generate_series(1, 2500) n`,
    ),
  );
  statements.push(
    `insert into invites (id, user_id, channel, address, state, created_at, sent_at, expires_at)
     select ${id('inv')}, case when n % 2 = 0 then '${popular_user}' else ${id('usr')} end, 'email', 'a' || n, 'sent', now(), now(),
            now() + interval '1 day' from generate_series(1, 2500) n`,
    `insert into location_settings (user_id, mode, precision, expires_at, shared_since)
     select ${id('usr')}, case when n % 2 = 0 then 'selected' else 'public' end, 'approximate', now() + interval '1 day', now()
     from generate_series(1, 2500) n`,
    `insert into location_viewers (owner_id, viewer_id) select ${id('usr')}, '${popular_user}' from generate_series(2, 50) n
     union all select ${id('usr')}, '${crowdId('usr', 3)}' from generate_series(4, 2500) n
     union all select ${id('usr')}, 'usr_' || lpad((n + 5)::text, 26, '0') from generate_series(60, 2500) n`,
    `insert into locations (user_id, cell_latitude, cell_longitude, recorded_at, received_at)
     select ${id('usr')}, n % 80, n % 170, now(), now() from generate_series(1, 2500) n`,
    `insert into location_links (id, owner_id, precision, created_at, expires_at)
     select ${id('lnk')}, '${crowdId('usr', 4)}', 'exact', now(), now() + interval '1 hour' from generate_series(1, 2500) n`,
    `insert into location_views (id, owner_id, viewer_id, first_at, last_at, counted_at, count)
     select ${id('view')}, '${popular_user}', ${id('usr')}, now(), now(), now(), 1 from generate_series(2, 2500) n
     union all select ${id('view')}, ${id('usr')}, '${popular_user}', now(), now(), now(), 1 from generate_series(2, 2500) n`,
  );
  statements.push(
    // A word that everybody sometimes writes, and a thread and a group with thousands of messages of the same
    // beginning.
    ...['dm', 'chat'].map(
      (family) => `update ${family}_messages set body = 'No lights ' || substr(id, 20) ||
        case substr(id, 30) when '7' then ' at the lighthouse' else '' end`,
    ),
    `update dm_members set archived = true where user_id = '${popular_user}' and sort_key like '%7'`,
    `update dm_members set pinned_at = now() where user_id = '${popular_user}' and sort_key like '%0060'`,
  );
  statements.push(...callRows(id));
  for (const statement of statements) await to.query(statement);
  for (const table of large_tables) await to.query(`vacuum analyze ${table}`);
}

/** Calls of everybody with the popular person, one of them live, with chat, guests, recordings and inbox messages. */
function callRows(id: (prefix: string) => string): string[] {
  return [
    `insert into calls (id, join_code, host_id, started_by, state, privacy, media, guests, started_at, ended_at, end_reason)
     select ${id('conf')}, 'code-' || n, ${id('usr')}, ${id('usr')}, 'ended', 'private', 'audio', 'off', now(), now(), 'hung_up'
     from generate_series(2, 2500) n
     union all select '${popular_call}', '${popular_call_code}', '${popular_user}', '${popular_user}', 'live', 'private', 'audio', 'ask', now(), null, null`,
    ...[`'${popular_user}'`, id('usr')].map(
      (
        user,
        at,
      ) => `insert into call_participants (id, call_id, user_id, name, state, role, rung_at, joined_at, left_at)
     select 'part_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${id('conf')}, ${user}, 'x', 'left', ${at ? "'host'" : "'guest'"}, now(),
            case when n % 3 > 0 then now() end, now() from generate_series(2, 2500) n`,
    ),
    `insert into call_participants (id, call_id, user_id, name, state, role, joined_at)
     select 'part_' || lpad('99999', 26, '0'), '${popular_call}', '${popular_user}', 'x', 'joined', 'host', now()`,
    `insert into guests (id, call_id, name, token_hash, admission, created_at, expires_at)
     select 'gst_' || lpad((n + 10000)::text, 26, '0'), case when n % 5 = 0 then '${popular_call}' else ${id('conf')} end, 'Guest',
            'caller' || n, 'waiting', now(), now() + interval '1 day' from generate_series(2, 2500) n`,
    `insert into call_messages (id, call_id, author_id, kind, body, created_at)
     select ${id('chat')}, case when n % 2 = 0 then '${popular_call}' else ${id('conf')} end, '${popular_user}', 'text', 'x', now()
     from generate_series(2, 2500) n
     union all
     select 'chat_' || lpad((n + 10000)::text, 26, '0'), '${crowdId('conf', 2)}', '${popular_user}', 'text', 'x', now()
     from generate_series(1, 2500) n`,
    ...[`'${popular_user}'`, id('usr')].map(
      (
        user,
        at,
      ) => `insert into inbox_messages (id, user_id, kind, from_user_id, from_name, call_id, read_at, created_at)
     select 'msg_' || lpad((n + ${at} * 10000)::text, 26, '0'), ${user}, 'missed_call', ${at ? `'${popular_user}'` : id('usr')}, 'x', ${id('conf')},
            case when n % 25 > 0 then now() end, now() from generate_series(2, 2500) n`,
    ),
    `insert into recordings (id, call_id, started_by, state, announced_at, started_at, ended_at, duration_ms)
     select ${id('rec')}, ${id('conf')}, ${id('usr')}, 'ready', now(), now(), now(), 1000 from generate_series(2, 2500) n`,
    `insert into recording_listeners (user_id, recording_id)
     select '${popular_user}', ${id('rec')} from generate_series(2, 2500) n union all select ${id('usr')}, ${id('rec')} from generate_series(2, 2500) n`,
  ];
}
