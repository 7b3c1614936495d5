-- What staff corrected of what SIMs used. A correction is never changed: it is undone by another one.
create table usage_correction (
  account_id text not null references account,
  id text not null,
  sim_id text not null,
  asset_id text not null,
  -- in UTC
  day date not null,
  -- added; below zero they were taken away
  bytes_up bigint not null,
  bytes_down bigint not null,
  -- of this network and technology alone; null: of any
  mccmnc text,
  rat text,
  reason text not null,
  by_email text not null,
  created_at timestamptz not null,
  -- first day of the month it is billed in, where the day's own was closed
  adjustment_month date,
  -- the correction that this one takes back
  undoes text,
  primary key (account_id, id),
  foreign key (account_id, undoes) references usage_correction
);
create unique index usage_correction_undoes on usage_correction (account_id, undoes) where undoes is not null;
create index usage_correction_asset on usage_correction (account_id, asset_id, id);

-- Which hours it corrected, and by how much: with the records, all that the roll-ups are made of. Never dropped.
create table usage_correction_part (
  account_id text not null,
  correction_id text not null,
  sim_id text not null,
  hour timestamptz not null,
  mccmnc text not null,
  rat text not null,
  bytes_up bigint not null,
  bytes_down bigint not null,
  primary key (account_id, correction_id, hour, mccmnc, rat),
  foreign key (account_id, correction_id) references usage_correction
);
create index usage_correction_part_hour on usage_correction_part (hour);

create trigger usage_correction_append_only before update or delete on usage_correction for each row execute function refuse_change();
create trigger usage_correction_not_truncated before truncate on usage_correction for each statement execute function refuse_change();
create trigger usage_correction_part_append_only before update or delete on usage_correction_part for each row execute function refuse_change();
create trigger usage_correction_part_not_truncated before truncate on usage_correction_part for each statement execute function refuse_change();

-- Whoever had all permissions of staff has this one too.
update person set permissions = permissions || '{manage_usage}'
where permissions @> '{backoffice,audit_logs,manage_networks,manage_datapools}' and not permissions @> '{manage_usage}';
