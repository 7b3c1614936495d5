-- serves from 0030
-- The page of a card's bank where its holder confirms a payment, for browsers in which the card provider's script does not come.
alter table top_up add column hosted_url text;
