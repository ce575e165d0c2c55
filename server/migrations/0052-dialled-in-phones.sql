-- owner: calls
-- The calls into which a phone has dialled, which it leaves when its account is suspended or deleted.
create index call_participants_dialled_in on call_participants (phone)
  where user_id is null and guest_id is null and invited_by is null and state in ('joining', 'joined');
