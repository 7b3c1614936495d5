-- serves from 0030
-- The ICCID of the profile that is to be in use, and the latest thing to do with profiles: { generation, do, iccid }. An activation code stands in
-- sealed_secrets.
alter table device_network add column profile text, add column esim_job jsonb;
