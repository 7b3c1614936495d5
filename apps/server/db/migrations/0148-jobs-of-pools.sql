-- serves from 0030
-- As all jobs that are added with a key, these say that they had one: a later job takes it while one runs, which is then not given up.
create or replace function pools_changed(account text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job('follow_pools', json_build_object('account_id', account), job_key => 'follow_pools:' || account, flags => array['keyed']);
end $$;
