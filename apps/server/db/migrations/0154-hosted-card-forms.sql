-- serves from 0030
-- A form for a card on the card provider's own page, for browsers in which its script does not come. Then `provider_id` is that of the page.
alter table card_setup add column is_hosted boolean not null default false, add column hosted_url text;
-- What is asked to be paid back is reserved: it is looked up wherever it is asked what can be spent.
create index pay_back_reserved on pay_back (account_id) where state = 'asked';
