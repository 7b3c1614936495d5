-- An asset can be switched off: one more reason why its SIMs have no service; their own states stay.
alter table asset add column switched_off_at timestamptz;
