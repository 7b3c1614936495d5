-- serves from 0030
-- Somebody has the version of a rollout brought to a device once more. What becomes of it halts and holds up no other one, and a rollout that has
-- finished stays so.
alter table rollout_device add column restored boolean not null default false;
create index rollout_device_restored on rollout_device (account_id, rollout_id) where restored and state in ('pending', 'started');
