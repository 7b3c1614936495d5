import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { readMigrations } from './migration-file.ts'

/**
 * What a schema is made of, by names alone, because versions of PostgreSQL print definitions differently: `table asset`, `column asset.site`,
 * `index asset_pkey of asset`. Days of partitioned tables come and go, so they are not among it. A trigger that is switched off and an index
 * that is not whole do not work, so they count as missing.
 */
export async function readSchemaObjects(queryable: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows } = await queryable.query<{ object: string }>(
    `with relation as (
      select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace and not relispartition
    ), owner as (select * from relation where relkind in ('r', 'p', 'v', 'm'))
    select object from (
      select case when relkind in ('r', 'p') then 'table ' when relkind = 'S' then 'sequence ' else 'view ' end || relname as object
      from relation where relkind in ('r', 'p', 'v', 'm', 'S')
      union all select 'column ' || relname || '.' || attname from owner join pg_attribute on attrelid = oid where attnum > 0 and not attisdropped
      union all select 'index ' || i.relname || ' of ' || o.relname
      from pg_index join owner o on o.oid = indrelid join relation i on i.oid = indexrelid where indisvalid
      union all select 'constraint ' || conname || ' of ' || relname
      from pg_constraint c join owner o on o.oid = conrelid where contype in ('c', 'f', 'x')
      union all select 'trigger ' || tgname || ' of ' || relname
      from pg_trigger join owner o on o.oid = tgrelid where not tgisinternal and tgenabled <> 'D'
      union all select distinct 'function ' || proname from pg_proc p
      where pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    ) of_schema order by object collate "C"`
  )
  return rows.map(({ object }) => object)
}

export const schemaObjectsFile = new URL('../../../../db/schema-objects.txt', import.meta.url)

/** An object of the schema, and the last migration that names it, or its table. */
export type MissingObject = { object: string; migration: string | undefined }

/** What our migrations make and the database has not. Of a table that is missing nothing more is said. */
export async function missingObjects(queryable: pg.Pool | pg.ClientBase): Promise<MissingObject[]> {
  const there = new Set(await readSchemaObjects(queryable))
  const missing = readFileSync(schemaObjectsFile, 'utf8')
    .trim()
    .split('\n')
    .filter((object) => !there.has(object))
  const owners = new Set(missing.flatMap((object) => /^(?:table|view) (\w+)$/.exec(object)?.[1] ?? []))
  const [ownerOf, nameOf] = [/^column (\w+)\.| of (\w+)$/, /^\w+ (?:\w+\.)?(\w+)/]
  const migrations = readMigrations()
  return missing.flatMap((object) => {
    const [, ofColumn, owner = ofColumn] = ownerOf.exec(object) ?? []
    if (owner && owners.has(owner)) return []
    const naming = (name: string | undefined) => name && migrations.findLast(({ text }) => new RegExp(`\\b${name}\\b`).test(text))?.name
    return [{ object, migration: naming(nameOf.exec(object)?.[1]) ?? naming(owner) }]
  })
}
