-- serves from 0030
-- Up to when a gateway reported of a session of a SIM that began before a feed counted for it: whether it is near a record is looked for again.
alter table sim_feed add column gateway_at timestamptz;
