-- owner: videomail
-- That somebody has left a message with a stranger, until the stranger answers: whether it was read or deleted tells nothing.
create table unanswered_mail (
  receiver_id id not null references users,
  sender_id id not null references users,
  sent_at timestamptz not null,
  primary key (receiver_id, sender_id)
);
create index unanswered_mail_sender on unanswered_mail (sender_id);
