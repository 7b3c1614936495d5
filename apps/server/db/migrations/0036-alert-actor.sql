-- serves from 0030
-- Who did what an alert is about: what one did oneself stands apart from what one should look at.
alter table alert add column actor_email text;
