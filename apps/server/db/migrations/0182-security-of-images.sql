-- serves from 0030
-- What the order of tags by their security goes by: the more, the worse; 1: nothing is attached and nothing is known.
alter table registry_manifest add column security bigint not null default 1;

-- Images of which that is to be found out again. Each change adds a row of its own: it waits for no other, and one that comes while an earlier one is worked on counts.
create table registry_to_rank (
  id bigint generated always as identity primary key,
  account_id text not null,
  repository_id text not null,
  digest text not null
);
insert into registry_to_rank (account_id, repository_id, digest) select distinct account_id, repository_id, digest from registry_tag;

create function rank_manifest() returns trigger language plpgsql as $$
begin
  insert into registry_to_rank (account_id, repository_id, digest)
    select new.account_id, new.repository_id, image from unnest(array[new.digest, new.subject]) as i (image) where image is not null;
  return null;
end $$;
create trigger registry_manifest_ranks after insert or update of content on registry_manifest for each row execute function rank_manifest();

create function rank_subject() returns trigger language plpgsql as $$
begin
  insert into registry_to_rank (account_id, repository_id, digest) values (old.account_id, old.repository_id, old.subject);
  return null;
end $$;
create trigger registry_manifest_gone_ranks after delete on registry_manifest for each row when (old.subject is not null)
  execute function rank_subject();

-- A tag like sha256-….sig attaches what it names to the image that it is called after.
create function rank_named() returns trigger language plpgsql as $$
declare
  tag registry_tag := case tg_op when 'DELETE' then old else new end;
begin
  insert into registry_to_rank (account_id, repository_id, digest)
    values (tag.account_id, tag.repository_id, 'sha256:' || substr(tag.name, 8, 64));
  return null;
end $$;
create trigger registry_tag_ranks after insert or update on registry_tag for each row when (new.name like 'sha256-%') execute function rank_named();
create trigger registry_tag_gone_ranks after delete on registry_tag for each row when (old.name like 'sha256-%') execute function rank_named();

create function rank_about() returns trigger language plpgsql as $$
declare
  sbom registry_sbom := case tg_op when 'DELETE' then old else new end;
begin
  insert into registry_to_rank (account_id, repository_id, digest) select sbom.account_id, sbom.repository_id, unnest(sbom.about);
  return null;
end $$;
create trigger registry_sbom_ranks after insert or delete on registry_sbom for each row execute function rank_about();

create function rank_scanned() returns trigger language plpgsql as $$
begin
  insert into registry_to_rank (account_id, repository_id, digest)
    select account_id, repository_id, digest from registry_manifest where account_id = old.account_id and digest = old.digest;
  return null;
end $$;
create trigger registry_scan_ranks after update of done_at or delete on registry_scan for each row execute function rank_scanned();

create function rank_signed() returns trigger language plpgsql as $$
declare
  key registry_signing_key := case tg_op when 'DELETE' then old else new end;
begin
  insert into registry_to_rank (account_id, repository_id, digest)
    select distinct t.account_id, t.repository_id, t.digest from registry_tag t where t.account_id = key.account_id
      and exists (select from registry_signature s where s.account_id = t.account_id and s.repository_id = t.repository_id);
  return null;
end $$;
create trigger registry_signing_key_ranks after insert or delete on registry_signing_key for each row execute function rank_signed();

create function rank_compared() returns trigger language plpgsql as $$
begin
  insert into registry_to_rank (account_id, repository_id, digest)
    select distinct t.account_id, t.repository_id, t.digest from registry_tag t
      where exists (select from registry_sbom s where s.account_id = t.account_id and s.repository_id = t.repository_id);
  return null;
end $$;
create trigger advisory_load_ranks after update of current on advisory_load for each row when (new.current) execute function rank_compared();
