import { sql } from 'kysely'
import type { createPackage as createOp, listAllPackages as listOp } from '@masthead/contract/backoffice/pool-operations'
import { packageCreated, packageRetired } from '@masthead/contract/backoffice/staff-actions'
import type { Package } from '@masthead/contract/datapools/package'
import { packageNameTaken } from '@masthead/contract/datapools/problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { packageColumns, asPackage } from '../../datapools/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { recordStaff } from '../staff/staff-log.ts'

const packageId = idKind('pkg')

const packagesOf = (db: Db) =>
  packageColumns(db).select(
    sql<number>`(select count(*) from data_pool p where p.package_id = package.id and p.ended_at is null)::int`.as('pools')
  )

const withPools = ({ pools, ...row }: Parameters<typeof asPackage>[0] & { pools: number }): Package => ({ ...asPackage(row), pools })

export async function listAllPackages(db: Db): Promise<Reply<typeof listOp>> {
  const rows = await packagesOf(db)
    .orderBy(sql`package.retired_at is not null`)
    .orderBy('package.size_bytes')
    .orderBy('package.id')
    .execute()
  const zones = await db.selectFrom('network_rate').select('zone').distinct().orderBy('zone').execute()
  return { items: rows.map(withPools), zones: zones.map(({ zone }) => zone) }
}

async function getPackage(db: Db, id: string): Promise<Package> {
  const row = await packagesOf(db).where('package.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return withPools(row)
}

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })

/** Offers a package. Throws package_name_taken. */
export async function createPackage(tx: Tx, actor: Actor, body: Parsed<typeof createOp>['body']): Promise<Package> {
  const { validity, overage_percent = null, ...given } = body
  if ((given.overage_policy === 'percent') !== (overage_percent !== null)) {
    throw wrong('overage_percent', given.overage_policy === 'percent' ? 'Say how many per cent more' : 'Only where a share more is allowed')
  }
  if (given.zone !== null && !(await hasZone(tx, given.zone))) throw wrong('zone', `No network is in a zone "${given.zone}"`)
  const id = newId(packageId, actor.at.getTime())
  const made = await tx
    .insertInto('data_package')
    .values({
      ...given,
      id,
      overage_percent,
      validity_count: validity.count,
      validity_unit: validity.unit,
      created_at: actor.at,
      created_by: actor.email,
      retired_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Problem(packageNameTaken, `There is a package "${given.name}" already`)
  const detail = { package_name: given.name, data_volume: formatBytes(given.size_bytes) }
  await recordStaff(tx, actor, packageCreated, detail, { target: given.name, after: { ...body } })
  return getPackage(tx, id)
}

const hasZone = async (tx: Tx, zone: string) =>
  (await tx.selectFrom('network_rate').select('mccmnc').where('zone', '=', zone).limit(1).executeTakeFirst()) !== undefined

/** Offers a package no more. Throws not_found. */
export async function retirePackage(tx: Tx, actor: Actor, id: string): Promise<Package> {
  const { numUpdatedRows } = await tx
    .updateTable('data_package')
    .set({ retired_at: actor.at })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirstOrThrow()
  const retired = await getPackage(tx, id)
  if (numUpdatedRows > 0n) await recordStaff(tx, actor, packageRetired, { package_name: retired.name }, { target: retired.name })
  return retired
}
