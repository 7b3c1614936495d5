-- serves from 0030
-- [{ ssid, security, hidden }] of networks that were set from here; null: none ever was. Their passwords stand in sealed_secrets.
alter table device_network add column wifi jsonb;
