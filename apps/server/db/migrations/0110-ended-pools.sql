-- serves from 0030
-- SIMs stay in a pool that ended for three days, as what they used before its end may be reported until then, and is taken from the term that was paid for.
-- An asset has one place in a pool, and brings one share in a term, however many SIMs it had one after the other. A pool that is full takes no further asset.
-- Which SIMs of some assets draw from which pools: brings data_pool_sim and sim.pool_id in line, and counts what SIMs bring to dynamic pools. Pools are locked before SIMs,
-- as the meter locks them.
create or replace function follow_pools(account text, assets text[], at timestamptz default now()) returns void language plpgsql as $$
declare
  has_changed boolean;
begin
  perform lock_pools(account);
  with meant as materialized (select s.id, s.asset_id from sim s where s.account_id = account and s.asset_id = any(assets) order by s.id for no key update),
  wanted as materialized (
    select meant.id as sim_id, p.id as pool_id, p.priority from meant
      join data_pool_asset m on m.account_id = account and m.asset_id = meant.asset_id
      join data_pool p on p.account_id = account and p.id = m.pool_id and p.ended_at is null
    union
    select meant.id, p.id, p.priority from meant
      join asset_tag a on a.account_id = account and a.asset_id = meant.asset_id
      join data_pool_tag g on g.account_id = account and g.tag_id = a.tag_id
      join data_pool p on p.account_id = account and p.id = g.pool_id and p.ended_at is null
  ),
  kept as (
    select d.sim_id, d.pool_id from meant join data_pool_sim d on d.account_id = account and d.sim_id = meant.id
      join data_pool p on p.account_id = account and p.id = d.pool_id and p.ended_at > at - interval '3 days'
  ),
  gone as (
    delete from data_pool_sim d using meant where d.account_id = account and d.sim_id = meant.id
      and not exists (select from wanted w where w.sim_id = d.sim_id and w.pool_id = d.pool_id)
      and not exists (select from kept k where k.sim_id = d.sim_id and k.pool_id = d.pool_id) returning d.pool_id
  ),
  places as (
    select p.id as pool_id, p.max_sims, (select count(distinct s.asset_id) from data_pool_sim d join sim s on s.account_id = d.account_id and s.id = d.sim_id
        where d.account_id = account and d.pool_id = p.id
          and (s.asset_id <> all(assets) or exists (select from wanted w where w.sim_id = d.sim_id and w.pool_id = d.pool_id))) as taken
    from data_pool p where p.account_id = account and p.max_sims is not null and p.id in (select pool_id from wanted)
  ),
  placed as (
    select w.sim_id, w.pool_id, has.place or places.max_sims is null
        or places.taken + dense_rank() over (partition by w.pool_id, has.place order by meant.asset_id) <= places.max_sims as fits
    from wanted w join meant on meant.id = w.sim_id left join places on places.pool_id = w.pool_id
      cross join lateral (select exists (select from data_pool_sim d join sim s on s.account_id = d.account_id and s.id = d.sim_id
        where d.account_id = account and d.pool_id = w.pool_id and s.asset_id = meant.asset_id) as place) has
  ),
  come as (
    insert into data_pool_sim (account_id, sim_id, pool_id, joined_at) select account, p.sim_id, p.pool_id, at from placed p where p.fits order by 1, 2, 3
      on conflict do nothing returning sim_id, pool_id
  ),
  bringing as (
    select distinct on (come.pool_id, meant.asset_id) come.sim_id, come.pool_id, meant.asset_id
    from come join meant on meant.id = come.sim_id join asset on asset.account_id = account and asset.id = meant.asset_id
    order by come.pool_id, meant.asset_id, asset.sim_id = come.sim_id desc, come.sim_id desc
  ),
  brought as (
    insert into data_pool_usage as u (account_id, pool_id, starts_at, sim_id, brought_bytes)
      select account, p.id, p.term_starts_at, come.sim_id, pool_share(p.unit_bytes, p.prorate_first, t.starts_at, t.ends_at, at)
      from bringing come join data_pool p on p.account_id = account and p.id = come.pool_id and p.kind = 'dynamic'
        join data_pool_term t on t.account_id = account and t.pool_id = p.id and t.starts_at = p.term_starts_at
      where not exists (select from data_pool_usage b join sim s on s.account_id = b.account_id and s.id = b.sim_id
        where b.account_id = account and b.pool_id = p.id and b.starts_at = t.starts_at and b.brought_bytes > 0 and s.asset_id = come.asset_id)
      order by 1, 2, 3, 4
      on conflict (account_id, pool_id, starts_at, sim_id) do update set brought_bytes = excluded.brought_bytes where u.brought_bytes = 0
      returning u.pool_id, u.starts_at, u.brought_bytes
  ),
  grown as (
    update data_pool_term t set size_bytes = least(t.size_bytes + b.bytes, 9000000000000000000)
      from (select pool_id, starts_at, sum(brought_bytes) as bytes from brought group by 1, 2 order by 1, 2) b
      where t.account_id = account and t.pool_id = b.pool_id and t.starts_at = b.starts_at
  ),
  named as (
    update sim set pool_id = first.pool_id
      from (select meant.id, coalesce((select w.pool_id from wanted w join placed p on p.sim_id = w.sim_id and p.pool_id = w.pool_id and p.fits
          where w.sim_id = meant.id order by w.priority, w.pool_id limit 1),
        (select k.pool_id from kept k where k.sim_id = meant.id order by k.pool_id limit 1)) as pool_id from meant) first
      where sim.account_id = account and sim.id = first.id and sim.pool_id is distinct from first.pool_id
  )
  select exists (select from gone) or exists (select from come) into has_changed;
  if has_changed then perform pools_changed(account); end if;
end $$;
