-- owner: recordings
-- What a deleted account took from its own list is found by the account.
create index recordings_hidden_user on recordings_hidden (user_id);
