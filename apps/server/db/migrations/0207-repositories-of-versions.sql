-- serves from 0030
-- The repositories, without their hosts, whose images the containers of a version of a fleet name: what a clean-up of the registry looks for.
create function repositories_in(containers jsonb) returns text[] language sql immutable parallel safe
  return (select coalesce(array_agg(distinct split_part(split_part(substr(said.image, strpos(said.image, '/') + 1), '@', 1), ':', 1)), '{}')
    from jsonb_to_recordset(containers) as said (image text));
