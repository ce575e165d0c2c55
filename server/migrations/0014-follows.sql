-- owner: follows
create table follows (
  id id primary key,
  tag_id id not null references tags,
  owner_id id not null references users,
  follower_id id not null references users,
  created_at timestamptz not null
);
create unique index follows_one on follows (follower_id, tag_id) include (owner_id);
create index follows_follower on follows (follower_id, id);
create index follows_tag on follows (tag_id, id);
create index follows_owner on follows (owner_id, id);
create index follows_pair on follows (owner_id, follower_id, id);

-- Triggers keep the count on the tag equal to the number of rows. Tags are locked in the order of their identifiers, so
-- that two changes of many follows cannot deadlock.
create function count_added_followers() returns trigger language plpgsql as $$
declare
  one record;
begin
  for one in select tag_id, count(*)::int as step from added group by tag_id order by tag_id loop
    update tags set follower_count = follower_count + one.step where id = one.tag_id;
  end loop;
  return null;
end $$;

create function count_removed_followers() returns trigger language plpgsql as $$
declare
  one record;
begin
  for one in select tag_id, count(*)::int as step from removed group by tag_id order by tag_id loop
    update tags set follower_count = follower_count - one.step where id = one.tag_id;
  end loop;
  return null;
end $$;

create trigger follows_added after insert on follows
  referencing new table as added for each statement execute function count_added_followers();
create trigger follows_removed after delete on follows
  referencing old table as removed for each statement execute function count_removed_followers();

create table follow_requests (
  id id primary key,
  tag_id id not null references tags,
  owner_id id not null references users,
  user_id id not null references users,
  state text not null check (state in ('pending', 'accepted', 'declined', 'cancelled', 'expired')),
  message text not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  -- When it was declined, which applies to later requests too. The requester is not notified.
  declined_at timestamptz,
  expires_at timestamptz not null
);
-- Requests that look pending to the requester: at most one per tag.
create unique index follow_requests_open on follow_requests (user_id, tag_id) where state in ('pending', 'declined');
create index follow_requests_pending on follow_requests (owner_id, id) where state = 'pending';
create index follow_requests_owner on follow_requests (owner_id, state, id);
create index follow_requests_user on follow_requests (user_id, id);
create index follow_requests_denials on follow_requests (user_id, tag_id, declined_at) where declined_at is not null;
create index follow_requests_tag on follow_requests (tag_id) where state in ('pending', 'declined');
create index follow_requests_age on follow_requests (expires_at);
