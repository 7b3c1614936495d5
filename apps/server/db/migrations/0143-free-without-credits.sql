-- serves from 0030
-- Whether an account pays nothing for data somewhere on a day: a zone has no price, or networks are in no zone, or no version of its price list is valid yet.
create function has_free_data(the_account text, the_day date) returns boolean language sql stable
begin atomic
  select coalesce((select v.number is null
      or exists (select from tariff_zone z where z.tariff_id = given.tariff_id and z.number = v.number
        and coalesce((given.own_prices ->> z.id)::bigint, z.price_micros) = 0)
      or not exists (select from tariff_network n where n.tariff_id = given.tariff_id and n.number = v.number and n.network = '*')
    from (select a.tariff_id, a.own_prices from account_tariff a where a.account_id = the_account and a.from_day <= the_day order by a.from_day desc limit 1) given
      left join lateral (select w.number from tariff_version w where w.tariff_id = given.tariff_id and w.effective_from <= the_day
        order by w.effective_from desc limit 1) v on true), true);
end;

-- Of an account without credits, decided with `used_up_at`: its SIMs are not blocked, and refused where data is charged.
alter table charge_account add column has_free_data boolean not null default false;

-- Why the data pools of a SIM let it not be on a network: those whose zone that is in give nothing more, while others do elsewhere; or no credits are left, and what is used there would be
-- charged; or that would cost more than the account allows. Null: they let it. Where none gives anything, a block says so. Where none has the zone, nothing is taken from any, and with credits nothing
-- but the price is held against the SIM. Of a SIM without pools it says what its price does; without credits a block says so where data is charged everywhere.
-- It says no price: whoever sees SIMs, and the gateway, reads these words, and what data costs is for who sees costs.
create or replace function pool_refusal(account text, sim text, network text, day date) returns text language sql stable as $$
  select case when count(*) filter (where here) > 0 and bool_and(is_exhausted) filter (where here) and not bool_and(is_exhausted)
      then 'The data pool ' || min(name) filter (where here) || ' is used up'
        || coalesce(' in zone ' || zone_of(network, day) || ', which the network ' || network || ' is in', ', and no other has data on the network ' || network)
    when not coalesce(bool_or(has_data) filter (where here), false)
        and exists (select from charge_account c where c.account_id = account and c.used_up_at is not null)
        and (coalesce(bool_or(has_data), false) or exists (select from charge_account c where c.account_id = account and c.has_free_data))
        and exists (select from rates_of(array[account], array[network], array[day]) r where r.price_micros > 0)
      then 'No credits are left, and ' || case when count(*) > 0 then 'no data pool has data on the network ' || network
        when network = '' then 'data is charged where no network is named' else 'data on the network ' || network || ' is charged' end
    when network <> '' and not coalesce(bool_or(has_data) filter (where here), false)
      and exists (select from balance_rule l cross join rates_of(array[account], array[network], array[day]) r
        where l.account_id = account and l.price_action = 'refuse' and r.price_micros > l.most_price_micros)
      then 'Data on the network ' || network || ' costs more than the account allows' end
  from (select p.name, t.exhausted_at is not null as is_exhausted, p.zone is null or p.zone = zone_of(network, day) as here,
      t.used_up_at is null or p.overage_policy = 'percent' and t.exhausted_at is null as has_data from data_pool_sim m
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where m.account_id = account and m.sim_id = sim) pools
$$;
