-- serves from 0030
-- What was told of a day after it was over, of each SIM: its figures changed then, and may not be what somebody saw before.
create table usage_late (
  account_id text not null,
  day date not null,
  sim_id text not null,
  bytes bigint not null,
  last_at timestamptz not null,
  primary key (account_id, day, sim_id)
);

-- What was taken back of a payment may come back: a dispute is won, or what was paid back did not arrive.
alter table top_up
  -- of what was taken back with its tax: by disputes that are open or lost
  add column disputed_micros bigint not null default 0,
  -- how often the provider was asked, and the latest of these whose answer is in the books: an older one that comes later is let be
  add column looks bigint not null default 0,
  add column looked bigint not null default 0,
  -- the provider's last event about it that was looked at by itself
  add column seen_event text;
update top_up set disputed_micros = d.micros
from (
  select t.account_id, t.payment_id, sum(e.amount_micros) as micros
  from ledger_transaction t join ledger_entry e on e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'cash'
  where t.type = 'adjustment' and t.sub_type = 'dispute' group by 1, 2
) d
where top_up.account_id = d.account_id and top_up.id = d.payment_id;
