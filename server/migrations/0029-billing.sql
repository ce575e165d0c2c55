-- owner: billing
-- An open checkout is reused instead of creating a second one, so that nobody pays twice.
create table checkouts (
  session_id text primary key,
  user_id id not null references users,
  checkout_url text not null,
  state text not null default 'open' check (state in ('open', 'paid', 'cancelled')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index checkouts_open on checkouts (user_id) where state = 'open';

-- The last state of each subscription as reported by the provider; without an end if an operator granted it.
create table subscriptions (
  subscription_id text primary key,
  user_id id not null references users,
  state text not null check (state in ('active', 'past_due', 'ended')),
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  as_of timestamptz not null
);
create index subscriptions_user on subscriptions (user_id);
