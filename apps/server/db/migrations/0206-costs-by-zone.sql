-- serves from 0030
-- What data cost by month and zone of its price list. A trigger adds what is summed of a charge, because a release that settles beside this one does not know of zones.
create table cost_zone (
  account_id text not null references account on delete cascade,
  month date not null,
  kind text not null,
  tariff_id text not null,
  number integer not null,
  zone_id text not null,
  micros bigint not null,
  bytes bigint not null,
  primary key (account_id, month, kind, tariff_id, number, zone_id)
);
create function add_cost_of_zone() returns trigger language plpgsql as $$
begin
  insert into cost_zone as z (account_id, month, kind, tariff_id, number, zone_id, micros, bytes)
    values (new.account_id, date_trunc('month', new.day::timestamp)::date, new.source, new.tariff_id, new.number, new.zone_id,
      new.summed_micros - old.summed_micros, new.summed_bytes - old.summed_bytes)
    on conflict (account_id, month, kind, tariff_id, number, zone_id) do update set micros = z.micros + excluded.micros, bytes = z.bytes + excluded.bytes;
  return null;
end $$;
-- Nobody sums charges meanwhile.
select pg_advisory_xact_lock(hashtext('masthead.settle_charges'));
insert into cost_zone (account_id, month, kind, tariff_id, number, zone_id, micros, bytes)
  select account_id, date_trunc('month', day::timestamp)::date, source, tariff_id, number, zone_id, sum(summed_micros), sum(summed_bytes)
  from charge group by 1, 2, 3, 4, 5, 6;
-- The meter moves charges with every report; what is summed of them changes once a second at most.
create trigger cost_of_zone after update of summed_micros, summed_bytes on charge for each row
  when (new.summed_micros <> old.summed_micros or new.summed_bytes <> old.summed_bytes) execute function add_cost_of_zone();
