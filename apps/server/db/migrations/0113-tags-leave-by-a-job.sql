-- serves from 0030
-- A tag that goes leaves its assets by a job, a piece at a time: a hundred thousand of them, with the data pools that the tag brings them to, kept the request and its locks for minutes.
-- What a tag is not there for counts nowhere. The release before deletes tags, too: so it is a trigger that asks for the job.
create function tags_leave() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job('clear_tags', json_build_object('account_id', account_id, 'tag_ids', tag_ids))
    from (select account_id, array_agg(id order by id) as tag_ids from gone
      where exists (select from asset_tag t where t.account_id = gone.account_id and t.tag_id = gone.id) group by account_id order by account_id offset 0) each;
  return null;
end $$;
create trigger tags_leave after delete on tag referencing old table as gone for each statement execute function tags_leave();
alter table asset_tag drop constraint asset_tag_account_id_tag_id_fkey;
