-- owner: location
-- Who shares their position with whom, and until when: sharing always ends.
create table location_settings (
  user_id id primary key references users,
  mode text not null check (mode in ('off', 'selected', 'followers', 'contacts', 'public')),
  precision text not null check (precision in ('exact', 'approximate')),
  expires_at timestamptz,
  -- Positions recorded before this are never shown, also when sharing is switched on again.
  shared_since timestamptz not null,
  check ((mode = 'off') = (expires_at is null))
);

-- The people of the mode `selected`.
create table location_viewers (
  owner_id id not null references users,
  viewer_id id not null references users,
  primary key (owner_id, viewer_id)
);
create index location_viewers_viewer on location_viewers (viewer_id, owner_id);

-- The newest position of an account. Unlogged, so that it never reaches the write-ahead log or its archive: a crash of
-- the database loses positions, and the next report restores them.
create unlogged table locations (
  user_id id primary key references users,
  -- The centre of the cell: all that viewers with approximate precision receive.
  cell_latitude float8 not null check (cell_latitude between -90 and 90),
  cell_longitude float8 not null check (cell_longitude between -180 and 180),
  -- The exact position and its details, null while nobody may see them.
  latitude float8,
  longitude float8,
  accuracy_m float8,
  heading float8,
  speed_mps float8,
  battery float8,
  recorded_at timestamptz not null,
  -- When the service received it: recording times are whole seconds, within which sharing may have begun anew.
  received_at timestamptz not null
);
create index locations_cell on locations using gist (point(cell_longitude, cell_latitude));
create index locations_recorded on locations (recorded_at);

-- Shares of a position by a public link; their addresses are in public_links.
create table location_links (
  id id primary key,
  owner_id id not null references users,
  precision text not null check (precision in ('exact', 'approximate')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index location_links_owner on location_links (owner_id, id);
create index location_links_expiry on location_links (expires_at);

-- Who viewed the position of an account: one row per viewer and one per link.
create table location_views (
  -- The identifier of the latest view, by which the list is sorted and paged.
  id id not null,
  owner_id id not null references users,
  viewer_id id references users,
  link_id id references location_links on delete cascade,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- When a view was last counted: views less than ten minutes later are not counted.
  counted_at timestamptz not null,
  count int not null,
  check ((viewer_id is null) <> (link_id is null)),
  unique nulls not distinct (owner_id, viewer_id, link_id)
);
create unique index location_views_place on location_views (owner_id, id);
create index location_views_viewer on location_views (viewer_id);
create index location_views_link on location_views (link_id);
create index location_views_age on location_views (last_at);
