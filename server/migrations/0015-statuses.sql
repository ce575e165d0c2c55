-- owner: statuses
create table statuses (
  id id,
  author_id id not null references users,
  tag_id id references tags,
  -- The stream it belongs to: that of its tag, or without a tag that of its author.
  stream_id id not null generated always as (coalesce(tag_id, author_id)) stored,
  body text not null,
  visibility text not null check (visibility in ('public', 'followers')),
  -- People and tags mentioned in the body, resolved when it was written: [{text, type, id}].
  mentions jsonb not null default '[]',
  media_count int not null default 0 check (media_count >= 0),
  reply_count int not null default 0 check (reply_count >= 0),
  like_count int not null default 0 check (like_count >= 0),
  created_at timestamptz not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  -- The newest statuses of all streams are read by an index-only scan.
  primary key (id) include (stream_id, hidden_at)
);
create index statuses_stream on statuses (stream_id, id) where hidden_at is null;
create index statuses_public on statuses (stream_id, id) where hidden_at is null and visibility = 'public';
create index statuses_author on statuses (author_id, id);

-- Earlier versions of edited statuses, visible to the author.
create table status_edits (
  status_id id not null references statuses on delete cascade,
  body text not null,
  replaced_at timestamptz not null,
  number int not null,
  primary key (status_id, number)
);

create table replies (
  id id primary key,
  status_id id not null references statuses on delete cascade,
  author_id id not null references users,
  body text not null,
  mentions jsonb not null default '[]',
  created_at timestamptz not null,
  hidden_at timestamptz,
  -- Kept in sync with the suspension of the author: such replies are neither shown nor counted.
  author_suspended boolean not null default false
);
-- Not partial: when a status is deleted or its visibility reduced, its hidden replies are selected too. They are few,
-- so that they do not slow down lists.
create index replies_status on replies (status_id, id);
create index replies_author on replies (author_id, status_id);

create table status_likes (
  id id not null,
  status_id id not null references statuses on delete cascade,
  user_id id not null references users,
  created_at timestamptz not null,
  primary key (status_id, user_id)
);
create index status_likes_user on status_likes (user_id, status_id);

create function count_replies() returns trigger language plpgsql as $$
declare
  step int := 0;
begin
  if tg_op <> 'INSERT' and old.hidden_at is null and not old.author_suspended then step := step - 1; end if;
  if tg_op <> 'DELETE' and new.hidden_at is null and not new.author_suspended then step := step + 1; end if;
  if step <> 0 then
    update statuses set reply_count = reply_count + step where id = coalesce(new.status_id, old.status_id);
  end if;
  return null;
end $$;
create trigger replies_counted after insert or delete or update of hidden_at, author_suspended on replies
  for each row execute function count_replies();

create function count_statuses() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.tag_id is not null and old.hidden_at is null then
    update tags set status_count = status_count - 1,
      public_status_count = public_status_count - (old.visibility = 'public')::int where id = old.tag_id;
  end if;
  if tg_op <> 'DELETE' and new.tag_id is not null and new.hidden_at is null then
    update tags set status_count = status_count + 1,
      public_status_count = public_status_count + (new.visibility = 'public')::int where id = new.tag_id;
  end if;
  return null;
end $$;
create trigger statuses_counted after insert or delete or update of hidden_at, visibility, tag_id on statuses
  for each row execute function count_statuses();
