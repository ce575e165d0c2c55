-- owner: files
-- The transcript of a file's speech, created when somebody first asks for it. Null while it is being created, empty
-- where no speech was recognised.
create table file_transcripts (
  file_id id primary key references files on delete cascade,
  transcript text,
  created_at timestamptz not null
);

-- Those who are told once the transcript of a file is there.
create table transcript_requests (
  file_id id not null references file_transcripts on delete cascade,
  user_id id not null references users,
  created_at timestamptz not null,
  primary key (file_id, user_id)
);
create index transcript_requests_user on transcript_requests (user_id);
create index transcript_requests_created on transcript_requests (created_at);
