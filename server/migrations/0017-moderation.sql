-- owner: moderation
create table abuse_reports (
  id id primary key,
  reporter_id id not null references users,
  target_type text not null check (target_type in ('user', 'tag', 'status', 'comment', 'message', 'call')),
  target_id id not null,
  -- The owner of the reported content, so that an action against a person finds all reports about them.
  accused_id id references users,
  reason text not null check (reason in (
    'spam', 'harassment', 'hate', 'violence', 'sexual', 'impersonation', 'illegal', 'other')),
  note text not null,
  -- The reported content at the time of the report.
  snapshot jsonb not null,
  state text not null default 'open' check (state in ('open', 'dismissed', 'resolved')),
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index abuse_reports_open on abuse_reports (reporter_id, target_type, target_id) where state = 'open';
create index abuse_reports_queue on abuse_reports (id) where state = 'open';
create index abuse_reports_target on abuse_reports (target_type, target_id);

-- Actions of operators and their reasons.
create table moderation_acts (
  id bigint generated always as identity primary key,
  act text not null check (act in ('dismiss', 'hide', 'unhide', 'suspend', 'restore', 'plan free', 'plan plus')),
  target_type text not null,
  target_id id not null,
  operator text not null,
  reason text not null,
  report_id id references abuse_reports,
  at timestamptz not null
);
create index moderation_acts_target on moderation_acts (target_type, target_id, id);
