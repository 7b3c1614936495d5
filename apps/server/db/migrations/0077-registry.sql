-- serves from 0030
-- What an account has in the registry. The slug is the first part of its repositories' names, chosen once.
create table registry_account (
  account_id text primary key references account on delete cascade,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 40),
  -- null: what the installation gives every account
  quota_bytes bigint check (quota_bytes >= 0),
  created_at timestamptz not null
);

create table registry_repository (
  account_id text not null references registry_account on delete cascade,
  id text not null,
  -- without the slug: app/api
  name text collate "C" not null,
  created_at timestamptz not null,
  pushed_at timestamptz,
  pushed_by text,
  pulled_at timestamptz,
  pulls bigint not null default 0,
  primary key (account_id, id),
  unique (account_id, name)
);

-- Bytes that are kept once, however many accounts pushed them. `key`: where; each time they came they were written anew, and the first stay.
create table registry_blob (
  digest text primary key,
  key text not null unique,
  bytes bigint not null,
  kept_at timestamptz not null
);
create index registry_blob_kept on registry_blob (kept_at);

-- Which bytes a repository knows: they were pushed or mounted there. Whoever has no row here has no blob.
create table registry_held (
  account_id text not null,
  repository_id text not null,
  digest text not null references registry_blob,
  bytes bigint not null,
  held_at timestamptz not null,
  primary key (account_id, repository_id, digest),
  foreign key (account_id, repository_id) references registry_repository on delete cascade
);
create index registry_held_account on registry_held (account_id, digest) include (bytes);
create index registry_held_digest on registry_held (digest);

create table registry_manifest (
  account_id text not null,
  repository_id text not null,
  digest text not null,
  media_type text not null,
  artifact_type text,
  -- the manifest that this one is about, which may come later
  subject text,
  -- as pushed, byte by byte
  content bytea not null,
  bytes integer not null,
  -- of all that it names, itself included
  size_bytes bigint not null,
  annotations jsonb not null default '{}',
  -- [{ os, architecture, variant }]
  platforms jsonb not null default '[]',
  -- the digest of the configuration, of an image
  config text,
  -- what the configuration says, without values of its environment
  image jsonb,
  pushed_at timestamptz not null,
  pushed_by text not null,
  pulled_at timestamptz,
  pulls bigint not null default 0,
  primary key (account_id, repository_id, digest),
  foreign key (account_id, repository_id) references registry_repository on delete cascade
);
create index registry_manifest_subject on registry_manifest (account_id, repository_id, subject) where subject is not null;

-- What a manifest names: blobs, or manifests of an index.
create table registry_reference (
  account_id text not null,
  repository_id text not null,
  digest text not null,
  target text not null,
  kind text not null check (kind in ('config', 'layer', 'manifest')),
  primary key (account_id, repository_id, digest, target),
  foreign key (account_id, repository_id, digest) references registry_manifest on delete cascade
);
create index registry_reference_target on registry_reference (account_id, repository_id, target);

create table registry_tag (
  account_id text not null,
  repository_id text not null,
  name text collate "C" not null,
  digest text not null,
  protected boolean not null default false,
  pushed_at timestamptz not null,
  pushed_by text not null,
  primary key (account_id, repository_id, name),
  foreign key (account_id, repository_id, digest) references registry_manifest on delete cascade
);
create index registry_tag_digest on registry_tag (account_id, repository_id, digest);

create table registry_pull_day (
  account_id text not null,
  repository_id text not null,
  day date not null,
  pulls bigint not null,
  primary key (account_id, repository_id, day),
  foreign key (account_id, repository_id) references registry_repository on delete cascade
);

-- A blob that is still coming, in one piece or several.
create table registry_upload (
  account_id text not null,
  id text not null,
  repository_id text not null,
  bytes bigint not null default 0,
  started_at timestamptz not null,
  touched_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, repository_id) references registry_repository on delete cascade
);
create index registry_upload_touched on registry_upload (touched_at);
