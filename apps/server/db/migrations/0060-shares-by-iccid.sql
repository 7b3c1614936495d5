-- serves from 0030
-- Whose share of a term it is, also when its asset has left the account and came back: as a new asset with a new row for its SIM, it brought another one.
alter table data_pool_usage add column iccid text;

create function bring_once() returns trigger language plpgsql as $$
begin
  select iccid into new.iccid from sim where account_id = new.account_id and id = new.sim_id;
  if exists (select from data_pool_usage b where b.account_id = new.account_id and b.pool_id = new.pool_id and b.starts_at = new.starts_at
      and b.iccid = new.iccid and b.sim_id <> new.sim_id and b.brought_bytes > 0) then
    new.brought_bytes := 0;
  end if;
  return new;
end $$;

-- What the meter counts brings nothing, and does not come here.
create trigger bring_once before insert on data_pool_usage for each row when (new.brought_bytes > 0) execute function bring_once();
create trigger bring_once_later before update of brought_bytes on data_pool_usage for each row
  when (new.brought_bytes > 0 and old.brought_bytes = 0) execute function bring_once();
