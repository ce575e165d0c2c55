-- owner: files
create table files (
  id id primary key,
  owner_id id not null references users,
  kind text not null check (kind in ('image', 'audio', 'video', 'other')),
  content_type text not null,
  -- The total size with all variants, which counts towards the storage limit of the plan; main_bytes is the original
  -- alone.
  size_bytes bigint not null,
  main_bytes bigint not null,
  width int,
  height int,
  duration_s real,
  waveform jsonb,
  blurhash text,
  -- Smaller versions: [{name, width, height, size_bytes, content_type}], including the poster of a video.
  variants jsonb not null default '[]',
  created_at timestamptz not null,
  -- Since when nothing references it. The file is deleted a day later.
  unused_since timestamptz,
  -- The original name of an uploaded document; images, audio and video keep neither their name nor metadata.
  name text check (name <> '' and length(name) <= 160)
);
create index files_owner on files (owner_id, id);
create index files_unused on files (unused_since) where unused_since is not null;

-- References to files.
create table file_uses (
  file_id id not null references files,
  subject_type text not null check (subject_type in (
    'status', 'tag', 'group', 'call_message', 'chat_message', 'dm_message', 'inbox_message', 'recording')),
  subject_id id not null,
  position int not null,
  created_at timestamptz not null,
  primary key (subject_id, file_id)
);
create index file_uses_file on file_uses (file_id);
