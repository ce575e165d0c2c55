-- owner: calls
-- The calls that go on, by their host: a profile says whether its owner is live.
create index calls_going_on on calls (host_id) where state <> 'ended';
