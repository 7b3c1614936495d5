import type pg from 'pg'

/** A digest by what it is of. */
const digest = (text: string) => `('sha256:' || encode(sha256((${text})::bytea), 'hex'))`

/**
 * A registry put into the database: the repository `large` of so many tags, each an image of four layers of which three are shared, with so many images
 * that no tag names; repositories of ten tags beside it; and containers of devices that name tags of the large one.
 */
export async function putImages(
  pool: pg.Pool,
  account_id: string,
  assets: readonly string[],
  { tags, untagged, repositories }: { tags: number; untagged: number; repositories: number }
): Promise<void> {
  await pool.query(`insert into registry_account (account_id, slug, quota_bytes, created_at) values ($1, 'bench', 1e15, now())`, [
    account_id,
  ])
  await pool.query(
    `insert into registry_repository (account_id, id, name, created_at, pushed_at, pushed_by)
      select $1, 'rpo_' || n, case n when 0 then 'large' else 'service/part-' || n end, now(), now(), 'bench' from generate_series(0, $2::int) n`,
    [account_id, repositories]
  )
  await pool.query(
    `create temporary table made as
      select 'rpo_' || repository as repository_id, repository, n, ${digest(`'manifest ' || repository || ' ' || n`)} as digest
      from generate_series(0, $1::int) repository, lateral generate_series(1, case repository when 0 then $2::int else 10 end) n`,
    [repositories, tags + untagged]
  )
  await pool.query(
    `create temporary table named as
      select repository_id, digest, target, kind, bytes from made, lateral (
        select ${digest(`'config ' || repository || ' ' || n`)} as target, 'config' as kind, 2000 as bytes
        union all select ${digest(`'own ' || repository || ' ' || n`)}, 'layer', 3000000
        union all select ${digest(`'shared ' || repository || ' ' || n / 50 || ' ' || layer`)}, 'layer', 40000000 from generate_series(1, 3) layer) each`
  )
  await pool.query(
    `insert into registry_blob (digest, key, bytes, kept_at) select distinct target, 'registry/' || target, bytes, now() - interval '1 day' from named`
  )
  await pool.query(
    `insert into registry_held (account_id, repository_id, digest, bytes, held_at)
      select distinct $1, repository_id, target, bytes, now() - interval '1 day' from named`,
    [account_id]
  )
  await pool.query(
    `insert into registry_manifest (account_id, repository_id, digest, media_type, content, bytes, size_bytes, platforms, config, image, pushed_at, pushed_by, pulled_at, pulls)
      select $1, repository_id, digest, 'application/vnd.oci.image.manifest.v1+json', convert_to(repeat(md5(digest), 40), 'UTF8'), 1280,
        123000000 + abs(hashtext(digest)) % 1000000, '[{"os":"linux","architecture":"arm64"}]', null, jsonb_build_object('author', repeat(md5(digest), 20)),
        now() - interval '1 day' - n * interval '1 minute', 'bench', case when n % 3 > 0 then now() - n * interval '1 minute' end, n % 100
      from made`,
    [account_id]
  )
  await pool.query(
    `insert into registry_reference (account_id, repository_id, digest, target, kind) select $1, repository_id, digest, target, kind from named`,
    [account_id]
  )
  await pool.query(
    `insert into registry_tag (account_id, repository_id, name, digest, pushed_at, pushed_by)
      select $1, repository_id, 'build-' || n, digest, now() - interval '1 day' - n * interval '1 minute', 'bench' from made
      where repository > 0 or n <= $2::int`,
    [account_id, tags]
  )
  await pool.query(`insert into application (account_id, asset_id, revision) select $1, unnest($2::text[]), 1`, [account_id, assets])
  await pool.query(
    `insert into container (account_id, id, asset_id, name, generation, restart, run, image, ports, volumes, environment, sealed_secrets, restart_policy,
        created_at, changed_at, changed_by)
      select $1, 'ctr_' || nth, id, 'relay', 1, 1, 'running', 'registry.test/bench/large:build-' || 1 + nth % 200, '[]', '[]', '[]', '', 'always', now(), now(), 'bench'
      from unnest($2::text[]) with ordinality as given (id, nth)`,
    [account_id, assets]
  )
  await pool.query('drop table made, named')
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}
