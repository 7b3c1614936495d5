-- serves from 0030
-- Who had a version brought to a device outside of the phases of its rollout, by their address; null: it came by the rollout.
alter table rollout_device add column brought_by text;
-- Whether no port was free for a tunnel when its device connected for it last.
alter table tunnel add column no_port boolean not null default false;
