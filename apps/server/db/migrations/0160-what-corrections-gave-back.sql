-- serves from 0030
-- What a subtraction of usage gave back to pools and of charges: when it is undone, the same is taken and charged again. What earlier versions
-- subtracted has no row.
create table usage_correction_back (
  account_id text not null,
  correction_id text not null,
  -- [{ pool_id, starts_at, bytes, over }]
  pools jsonb not null,
  -- [{ tariff_id, number, from_day, zone_id, source, mccmnc, day, scope, price_micros, block_bytes, kb, bytes, billed, micros }]
  charges jsonb not null,
  primary key (account_id, correction_id),
  foreign key (account_id, correction_id) references usage_correction
);
create trigger usage_correction_back_append_only before update or delete on usage_correction_back for each row execute function refuse_change();
create trigger usage_correction_back_not_truncated before truncate on usage_correction_back for each statement execute function refuse_change();
