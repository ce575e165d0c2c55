-- owner: grid
create table grid_members (
  owner_id id not null references users,
  contact_id id not null references contacts on delete cascade,
  -- In their order; gaps mean nothing.
  position int not null,
  created_at timestamptz not null,
  primary key (owner_id, contact_id)
);
create index grid_members_contact on grid_members (contact_id);
alter table calls add column of_grid boolean not null default false;
