-- serves from 0030
-- Whether what a SIM uses costs nothing, because it may use so much before it is active.
create function in_free_test(the_account text, the_sim text) returns boolean language sql stable as $$
  select exists (select from sim s where s.account_id = the_account and s.id = the_sim and s.state = 'ready' and s.test_bytes is not null
    and not exists (select from sim_counter c where c.account_id = s.account_id and c.sim_id = s.id and c.lifetime_up + c.lifetime_down >= s.test_bytes))
$$;

-- Why the data pools of a SIM let it not be on a network: those whose zone that is in give nothing more, while others do elsewhere; or no credits are left, and what is used there would be
-- charged; or that would cost more than the account allows. Null: they let it. Where none gives anything, a block says so. Where none has the zone, nothing is taken from any, and with credits nothing
-- but the price is held against the SIM. Of a SIM without pools it says what its price does; without credits a block says so where data is charged everywhere.
-- Within its free test nothing costs it anything. It says no price: whoever sees SIMs, and the gateway, reads these words, and what data costs is for who sees costs.
create or replace function pool_refusal(account text, sim text, network text, day date) returns text language sql stable as $$
  select case when count(*) filter (where here) > 0 and bool_and(is_exhausted) filter (where here) and not bool_and(is_exhausted)
      then 'The data pool ' || min(name) filter (where here) || ' is used up'
        || coalesce(' in zone ' || zone_of(network, day) || ', which the network ' || network || ' is in', ', and no other has data on the network ' || network)
    when not coalesce(bool_or(has_data) filter (where here), false)
        and exists (select from charge_account c where c.account_id = account and c.used_up_at is not null)
        and (coalesce(bool_or(has_data), false) or exists (select from charge_account c where c.account_id = account and c.has_free_data))
        and exists (select from rates_of(array[account], array[network], array[day]) r where r.price_micros > 0)
        and not in_free_test(account, sim)
      then 'No credits are left, and ' || case when count(*) > 0 then 'no data pool has data on the network ' || network
        when network = '' then 'data is charged where no network is named' else 'data on the network ' || network || ' is charged' end
    when network <> '' and not coalesce(bool_or(has_data) filter (where here), false)
      and exists (select from balance_rule l cross join rates_of(array[account], array[network], array[day]) r
        where l.account_id = account and l.price_action = 'refuse' and r.price_micros > l.most_price_micros)
      and not in_free_test(account, sim)
      then 'Data on the network ' || network || ' costs more than the account allows' end
  from (select p.name, t.exhausted_at is not null as is_exhausted, p.zone is null or p.zone = zone_of(network, day) as here,
      t.used_up_at is null or p.overage_policy = 'percent' and t.exhausted_at is null as has_data from data_pool_sim m
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where m.account_id = account and m.sim_id = sim) pools
$$;
