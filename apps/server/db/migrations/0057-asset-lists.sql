-- serves from 0030
-- Assets that somebody named by their numbers, to look at and to change together. Kept for a day.
create table asset_list (
  account_id text not null references account on delete cascade,
  id text not null,
  asset_ids text[] not null,
  made_at timestamptz not null,
  primary key (account_id, id)
);
