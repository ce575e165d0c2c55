-- owner: moderation
-- Few are suspended: whether somebody is one of them is asked of each message and call that a person reads.
create index users_suspended on users (id) where suspended_at is not null;
