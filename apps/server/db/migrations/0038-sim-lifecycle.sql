-- serves from 0030
-- Which devices a SIM may be used in. Its own mode wins over the default of its group, which whoever owns groups writes here.
alter table sim
  add column imei_lock text check (imei_lock in ('off', 'watch', 'lock')),
  add column imei_lock_default text not null default 'off' check (imei_lock_default in ('off', 'watch', 'lock')),
  -- Accepted devices; with a lock and none, the first that comes is accepted.
  add column imeis text[] not null default '{}',
  -- What a ready SIM may use, in all, before it becomes active; null: it does so with its first session.
  add column test_bytes bigint check (test_bytes > 0);

-- What new SIMs of the account get.
alter table account add column test_bytes bigint check (test_bytes > 0);

-- A SIM's limit that is there for a raise of its group's: it goes when the raise is over.
alter table usage_limit add column only_raise boolean not null default false;
-- An account has many limits, also where the planner last looked when it had one: else it may read all of them to find that of a pool.
alter table usage_limit alter column account_id set (n_distinct = -0.02);

create or replace view sim_limit as
  select s.account_id, s.id as sim_id, coalesce(own.id, grouped.id) as limit_id, coalesce(own.period, grouped.period) as period,
    case when own.id is not null then own.bytes else grouped.bytes end as bytes,
    case when own.id is not null then own.raised_bytes else grouped.raised_bytes end as raised_bytes,
    case when own.id is not null then own.raised_period else grouped.raised_period end as raised_period,
    case when own.id is null or own.only_raise then 'group' else 'sim' end as scope
  from sim s
    left join usage_limit own on own.account_id = s.account_id and own.sim_id = s.id
    left join usage_limit grouped on own.id is null and grouped.account_id = s.account_id and grouped.group_id = s.group_id
  where own.id is not null or grouped.id is not null;

-- Stock that an account handed over: who may register it, by the e-mail of its owner, and whose it was, who may take it back.
alter table inventory add column reserved_for text, add column released_by text references account;

-- The old and new values of what was changed, and the values of each row of a CSV, beside the ids.
alter table bulk_change drop constraint bulk_change_action_check;
alter table bulk_change
  -- { limit, raise_bytes, imei_lock }: what the action takes besides tags
  add column params jsonb not null default '{}',
  add column undoes text;
create unique index bulk_change_undone on bulk_change (account_id, undoes) where undoes is not null;
create index bulk_change_listed on bulk_change (account_id, started_at desc, id desc);
alter table bulk_change_part
  -- [{ line, name, state, limit, … }] or null where all are changed alike
  add column wishes jsonb,
  -- [{ state, limit, … } | null]: as each was
  add column before jsonb;
