-- serves from 0030
-- Public keys whose signatures an account trusts.
create table registry_signing_key (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('ecdsa-p256', 'ed25519', 'rsa')),
  -- sha256 of the DER, hexadecimal
  fingerprint text not null,
  public_key text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name),
  unique (account_id, fingerprint)
);

-- Signatures that a manifest carries, as they were when it was pushed.
create table registry_signature (
  account_id text not null,
  repository_id text not null,
  digest text not null,
  n integer not null,
  kind text not null check (kind in ('image', 'attestation')),
  -- digests that it is for, by its own words
  about text[] not null,
  signed bytea not null,
  signature bytea not null,
  primary key (account_id, repository_id, digest, n),
  foreign key (account_id, repository_id, digest) references registry_manifest on delete cascade
);

-- A list of parts (SBOM) that a manifest carries.
create table registry_sbom (
  account_id text not null,
  repository_id text not null,
  digest text not null,
  n integer not null,
  format text not null check (format in ('spdx', 'cyclonedx')),
  format_version text not null,
  -- digests of images that it is for, by its own words
  about text[] not null,
  made_by text not null,
  -- how many it has, of which the first are kept
  packages integer not null,
  -- the blob that it was read from
  blob text not null,
  bytes bigint not null,
  primary key (account_id, repository_id, digest, n),
  foreign key (account_id, repository_id, digest) references registry_manifest on delete cascade
);
create index registry_sbom_about on registry_sbom using gin (about);

create table registry_package (
  account_id text not null,
  repository_id text not null,
  digest text not null,
  n integer not null,
  place integer not null,
  name text not null,
  version text not null,
  purl text not null,
  licence text not null,
  -- as advisories call it; empty where they do not know it
  ecosystem text not null,
  ecosystem_name text not null,
  ecosystem_version text not null,
  primary key (account_id, repository_id, digest, n, place),
  foreign key (account_id, repository_id, digest, n) references registry_sbom on delete cascade
);

-- A robot that was made with an API key ends with it.
alter table registry_robot add column api_key_id text;
