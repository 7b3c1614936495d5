import { sql } from 'kysely'
import type { listPackages as listOp } from '@masthead/contract/datapools/operations'
import type { Package } from '@masthead/contract/datapools/package'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Actor, Db } from '../kernel/app.ts'
import { countriesOf, seesPrices } from './pool-queries.ts'

export const packageColumns = (db: Db) =>
  db
    .selectFrom('data_package as package')
    .selectAll('package')
    .select(countriesOf(sql.ref('package.zone')).as('countries'))

type Row = Awaited<ReturnType<ReturnType<typeof packageColumns>['execute']>>[number]

export const asPackage = ({
  validity_count,
  validity_unit,
  created_at,
  created_by: _,
  retired_at,
  ...row
}: Row): Omit<Package, 'pools'> => ({
  ...row,
  price_micros: row.price_micros as Package['price_micros'],
  currency: row.currency as Package['currency'],
  validity: { count: validity_count, unit: validity_unit },
  created_at: created_at.toISOString(),
  retired_at: retired_at?.toISOString() ?? null,
})

/** Those that are offered. */
export async function listPackages(db: Db, actor: Actor): Promise<Reply<typeof listOp>['items']> {
  const rows = await packageColumns(db)
    .where('package.retired_at', 'is', null)
    .orderBy('package.size_bytes')
    .orderBy('package.id')
    .execute()
  const seen = seesPrices(actor)
  return rows.map((row) => ({ ...asPackage(row), ...(!seen && { price_micros: null }) }))
}
