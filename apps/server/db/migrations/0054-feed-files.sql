-- serves from 0030
-- CDR files as they came, until they are read. `content`: the SHA-256 of all of it, by which a file is known again under any name.
create table feed_file (
  id text primary key,
  feed_id text not null references feed,
  name text not null,
  source text not null check (source in ('upload', 'folder')),
  content bytea,
  size_bytes bigint not null default 0,
  state text not null check (state in ('arriving', 'waiting', 'reading', 'done', 'failed')),
  -- the last line of which it is known what became of it: whoever goes on begins after it
  lines_done integer not null default 0,
  counted integer not null default 0,
  compared integer not null default 0,
  duplicates integer not null default 0,
  quarantined integer not null default 0,
  wrong integer not null default 0,
  failure text,
  added_at timestamptz not null,
  added_by text,
  finished_at timestamptz
);
create unique index feed_file_content on feed_file (feed_id, content) where content is not null;
create index feed_file_added on feed_file (added_at desc, id desc);

create table feed_file_part (
  file_id text not null references feed_file on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (file_id, part)
);

-- The first lines that were wrong.
create table feed_file_error (
  file_id text not null references feed_file on delete cascade,
  line integer not null,
  words text not null,
  primary key (file_id, line)
);

-- What was found in the folder of a feed: what has not changed since is not read again.
create table feed_folder_file (
  feed_id text not null references feed,
  name text not null,
  size_bytes bigint not null,
  modified_at timestamptz not null,
  file_id text references feed_file on delete set null,
  primary key (feed_id, name)
);
