import type { TariffWithVersions } from '@masthead/contract/backoffice/tariff-operations'
import type { Currency } from '@masthead/contract/billing/money'
import type { Assignment, Tariff, TariffVersion } from '@masthead/contract/billing/tariff'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'

const tariffColumns = (db: Db, at: Date) => {
  const today = dayOf(at)
  const numberOf = (order: 'asc' | 'desc', is: 'valid' | 'planned') =>
    sql<number | null>`(select v.number from tariff_version v where v.tariff_id = tariff.id
      and v.effective_from ${sql.raw(is === 'valid' ? '<=' : '>')} ${today}::date order by v.effective_from ${sql.raw(order)} limit 1)`
  return db
    .selectFrom('tariff')
    .select(['id', 'name', 'currency', 'is_standard', 'created_at'])
    .select([
      numberOf('desc', 'valid').as('current'),
      numberOf('asc', 'planned').as('next'),
      sql<number>`(select count(*) from (select distinct on (account_id) tariff_id from account_tariff where from_day <= ${today}::date
        order by account_id, from_day desc) now where now.tariff_id = tariff.id)::int`.as('accounts'),
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof tariffColumns>['execute']>>[number]
const tariffOf = ({ created_at, currency, ...row }: Row): Tariff => ({
  ...row,
  currency: currency as Currency,
  created_at: created_at.toISOString(),
})

/** The general plan first, then by name. */
export async function listTariffs(db: Db, at: Date): Promise<Tariff[]> {
  const rows = await tariffColumns(db, at)
    .orderBy('is_standard', 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(tariffOf)
}

/** Throws not_found. */
export async function getTariff(db: Db, at: Date, id: string): Promise<TariffWithVersions> {
  const row = await tariffColumns(db, at).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return { ...tariffOf(row), versions: await versionsOf(db, id) }
}

/** Newest first. */
async function versionsOf(db: Db, tariff_id: string): Promise<TariffVersion[]> {
  const versions = await db.selectFrom('tariff_version').selectAll().where('tariff_id', '=', tariff_id).orderBy('number', 'desc').execute()
  const { rows: zones } = await sql<{ number: number; id: string; name: string; price_micros: number; networks: string[] }>`
    select z.number, z.id, z.name, z.price_micros, coalesce(array_agg(n.network order by n.network) filter (where n.network is not null), '{}') as networks
    from tariff_zone z left join tariff_network n on n.tariff_id = z.tariff_id and n.number = z.number and n.zone_id = z.id
    where z.tariff_id = ${tariff_id} group by z.number, z.id, z.name, z.price_micros, z.place order by z.place`.execute(db)
  return versions.map(({ number, effective_from, block_bytes, rounding_scope, kb, fees, created_at, created_by }) => ({
    number,
    effective_from,
    block_bytes,
    rounding_scope,
    kb: kb as TariffVersion['kb'],
    fees,
    zones: zones.filter((zone) => zone.number === number).map(({ number: _, ...zone }) => zone),
    created_at: created_at.toISOString(),
    created_by,
  }))
}

/** Newest first. */
export async function listAssignments(db: Db, account_id: string): Promise<Assignment[]> {
  const rows = await db
    .selectFrom('account_tariff as given')
    .leftJoin('tariff', 'tariff.id', 'given.tariff_id')
    .select(['given.from_day', 'given.own_prices', 'given.assigned_at', 'given.assigned_by', 'tariff.id', 'tariff.name', 'tariff.currency'])
    .where('given.account_id', '=', account_id)
    .orderBy('given.from_day', 'desc')
    .execute()
  return rows.map(({ from_day, own_prices, assigned_at, assigned_by, id, name, currency }) => ({
    from_day,
    tariff: id === null ? null : { id, name: name!, currency: currency as Currency },
    own_prices: Object.entries(own_prices).map(([zone_id, price_micros]) => ({ zone_id, price_micros })),
    assigned_at: assigned_at.toISOString(),
    assigned_by,
  }))
}
