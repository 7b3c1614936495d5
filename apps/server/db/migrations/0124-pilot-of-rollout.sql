-- serves from 0030
-- The pilot of the fleet when the rollout began: it stays the pilot of the rollout, whatever the fleet has later. Null where the fleet had none, and
-- in rollouts of a release that did not write it.
alter table rollout add column pilot_asset_id text;
