-- owner: profiles
create table comments (
  id id primary key,
  tag_id id not null references tags,
  author_id id not null references users,
  body text not null,
  mentions jsonb not null default '[]',
  created_at timestamptz not null,
  hidden_at timestamptz
);
create index comments_tag on comments (tag_id, id) where hidden_at is null;
create index comments_author on comments (author_id, tag_id);

create table abuse_reports (
  id id primary key,
  reporter_id id not null references users,
  target_type text not null,
  target_id id not null,
  -- Whose thing it is, so that acts against a person find all that was said of them.
  accused_id id references users,
  reason text not null,
  note text not null,
  -- What was reported, as it was then.
  snapshot jsonb not null,
  state text not null default 'open',
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index abuse_reports_open on abuse_reports (reporter_id, target_type, target_id) where state = 'open';
create index abuse_reports_queue on abuse_reports (id) where state = 'open';
create index abuse_reports_target on abuse_reports (target_type, target_id);

-- What operators did, and why.
create table moderation_acts (
  id bigint generated always as identity primary key,
  act text not null,
  target_type text not null,
  target_id id not null,
  operator text not null,
  reason text not null,
  report_id id references abuse_reports,
  at timestamptz not null
);
create index moderation_acts_target on moderation_acts (target_type, target_id, id);
