-- serves from 0030
-- Saved views of the assets list: one's own, or the team's.
create table asset_view (
  account_id text not null references account on delete cascade,
  id text not null,
  name text not null check (name <> ''),
  -- A line of the assets list.
  q text not null,
  sort text not null,
  -- Ids of columns; empty: the usual ones.
  columns text[] not null default '{}',
  shared boolean not null,
  person_id text not null references person on delete cascade,
  made_by text not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index asset_view_person on asset_view (person_id);

-- What notifies when a view is not empty goes with it.
alter table alert_rule add column view_id text;
alter table alert_rule add constraint alert_rule_view foreign key (account_id, view_id) references asset_view (account_id, id) on delete cascade;
create index alert_rule_view_id on alert_rule (account_id, view_id) where view_id is not null;
