-- serves from 0030
-- runs outside a transaction
create index concurrently if not exists rollout_device_failed on rollout_device (account_id, asset_id) where state = 'failure'
