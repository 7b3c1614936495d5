-- serves from 0030
-- Who changes which SIMs draw from the pools of an account does so one after the other: two at once would each not see what the other has not committed, and a SIM would
-- stay in a pool that one of them took it out of. The meter waits for none of them but where it did before.
create or replace function lock_pools(account text, also text default null) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(account, 8));
  perform pg_advisory_xact_lock(key)
    from (select pool_lock(account, p.id) as key from data_pool p
      where p.account_id = account and p.ended_at is null and (p.kind = 'dynamic' or p.max_sims is not null or p.id = also)
      order by 1 offset 0) of_each;
end $$;

-- Those that stayed in a pool by that, though neither their asset nor a tag of it brings them there, leave it.
select follow_pools(lost.account_id, lost.assets) from (
  select m.account_id, array_agg(distinct s.asset_id order by s.asset_id) as assets from data_pool_sim m
    join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
    join sim s on s.account_id = m.account_id and s.id = m.sim_id
  where not exists (select from data_pool_asset a where a.account_id = m.account_id and a.pool_id = m.pool_id and a.asset_id = s.asset_id)
    and not exists (select from data_pool_tag g join asset_tag t on t.account_id = g.account_id and t.tag_id = g.tag_id
      where g.account_id = m.account_id and g.pool_id = m.pool_id and t.asset_id = s.asset_id)
  group by 1 order by 1) lost;
