-- serves from 0030
-- A copy has a row of each asset, so that an index finds those without a SIM or never seen. The release before makes copies without such rows, and may
-- finish one at any time: what it says of when a copy is then differs from `all_at`.
alter table asset_moving alter column sim_id drop not null, alter column period_start drop not null, alter column used drop not null,
  alter column seen_at drop not null;
alter table asset_moving_copy add column all_at timestamptz;
