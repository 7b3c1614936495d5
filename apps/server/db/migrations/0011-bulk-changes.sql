-- Changes of many assets at once: what was asked of which assets, and what became of each.

create table bulk_change (
  account_id text not null references account,
  id text not null,
  action text not null check (action in ('add_tags', 'remove_tags', 'activate_sim', 'deactivate_sim')),
  -- [{ tag_id, tag_name }]
  tags jsonb not null default '[]',
  -- who asked, and what limited their sight then: { kind, email, person_id, key, tags, ip, request_id }
  actor jsonb not null,
  started_at timestamptz not null,
  total integer not null default 0,
  parts_done integer not null default 0,
  -- { outcome: how many assets }
  outcomes jsonb not null default '{}',
  finished_at timestamptz,
  primary key (account_id, id)
);
create index bulk_change_age on bulk_change (started_at);

-- A few hundred of its assets, done in one transaction: a row for each asset would be written and counted a hundred thousand times.
create table bulk_change_part (
  account_id text not null,
  bulk_id text not null,
  part integer not null,
  asset_ids text[] not null,
  -- beside asset_ids; null until it is done
  outcomes text[],
  primary key (account_id, bulk_id, part),
  foreign key (account_id, bulk_id) references bulk_change on delete cascade
);
