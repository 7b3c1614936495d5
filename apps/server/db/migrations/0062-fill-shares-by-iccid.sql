-- serves from 0030
-- runs in batches
update data_pool_usage u set iccid = s.iccid from sim s
  where s.account_id = u.account_id and s.id = u.sim_id and (u.account_id, u.pool_id, u.starts_at, u.sim_id) in (
    select o.account_id, o.pool_id, o.starts_at, o.sim_id from data_pool_usage o join sim k on k.account_id = o.account_id and k.id = o.sim_id
    where o.brought_bytes > 0 and o.iccid is null and k.iccid is not null limit 1000);
