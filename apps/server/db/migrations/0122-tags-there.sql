-- serves from 0030
-- A deleted tag leaves its assets by a job: until it has, whoever is limited to that tag must not see them. The tags of a limit that are there; of a limit whose tags are all
-- gone, one that nothing has, because no tags at all would be no limit.
create function tags_there(account text, given text[]) returns text[] language sql stable as $$
  select case when given = '{}' or given is null then given
    else coalesce(nullif(array(select t.id from tag t where t.account_id = account and t.id = any(given)), '{}'), array['gone']) end
$$;
