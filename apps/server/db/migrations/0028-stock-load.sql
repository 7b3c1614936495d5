-- A new SIM becomes the one in use of an asset that has none. An asset that names it already was written together with it, numbers included
-- (insertAssets): looking the numbers of a thousand such SIMs up again was a tenth of a load of stock.
create function asset_takes_sim() returns trigger language plpgsql as $$
begin
  update asset set sim_id = changed.id, sim_status = changed.status, sim_search = numbers.words
  from changed, lateral (
    select coalesce(string_agg(concat_ws(' ', s.iccid, s.msisdn, s.eid, s.imei,
      (select string_agg(i.imsi, ' ' order by i.position) from sim_imsi i where i.account_id = s.account_id and i.sim_id = s.id)), ' ' order by s.id), '') as words
    from sim s where s.account_id = changed.account_id and s.asset_id = changed.asset_id) numbers
  where asset.account_id = changed.account_id and asset.id = changed.asset_id and asset.sim_id is null;
  return null;
end $$;
drop trigger sim_inserted on sim;
create trigger sim_inserted after insert on sim referencing new table as changed for each statement execute function asset_takes_sim();
