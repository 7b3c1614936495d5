import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { listOperators as listOp, Operator } from '@masthead/contract/backoffice/network-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { containing } from '../kernel/http/like.ts'

type Query = Parsed<typeof listOp>['query']
type Rate = NonNullable<Operator['rate']>

const rateColumns = sql.raw(`jsonb_build_object('effective_from', r.effective_from, 'zone', r.zone, 'cost_micros', r.cost_micros,
  'price_micros', r.price_micros, 'set_by', r.set_by, 'set_at', to_char(r.set_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`)

/** Networks with the rate that is valid on a day, and the one that comes next. */
export const operatorsOn = (db: Db, day: string) =>
  db
    .selectFrom('network')
    .leftJoinLateral(
      sql<{ rate: Rate; price: number; zone: string }>`(select ${rateColumns} as rate, r.price_micros as price, r.zone from network_rate r
        where r.mccmnc = network.mccmnc and r.effective_from <= ${day}::date order by r.effective_from desc limit 1)`.as('now'),
      (join) => join.onTrue()
    )
    .leftJoinLateral(
      sql<{ next_rate: Rate }>`(select ${rateColumns} as next_rate from network_rate r
        where r.mccmnc = network.mccmnc and r.effective_from > ${day}::date order by r.effective_from limit 1)`.as('then'),
      (join) => join.onTrue()
    )

const inFull = [
  'network.mccmnc',
  'network.name',
  'network.country',
  'network.rats',
  'network.active',
  'network.notes',
  'now.rate',
  'then.next_rate',
] as const

/** Some hundreds of networks, a page at a time. */
export async function listOperators(db: Db, at: Date, query: Query): Promise<Reply<typeof listOp>> {
  const { sort } = query
  return pageByKey(db, query, {
    name: `networks ${sort}`,
    all: matching(operatorsOn(db, dayOf(at)), query),
    keys: [keys[sort.replace('-', '') as keyof typeof keys], keys.mccmnc],
    order: sort.startsWith('-') ? 'desc' : 'asc',
    rows: (page) => page.select(inFull),
    items: (rows) => rows,
  })
}

const keys = {
  mccmnc: { of: sql`network.mccmnc`, is: 'text' },
  name: { of: sql`lower(network.name)`, is: 'text' },
  country: { of: sql`network.country`, is: 'text' },
  // A network without a price comes before those that cost something.
  price: { of: sql`coalesce(now.price, -1)`, is: 'number' },
} as const

function matching(rows: ReturnType<typeof operatorsOn>, { search, country, rat, active, priced }: Query) {
  let found = rows
  if (country) found = found.where('network.country', 'in', country)
  if (rat) found = found.where(sql<boolean>`network.rats && ${rat}::text[]`)
  if (active) found = found.where('network.active', '=', active === 'true')
  if (priced) found = found.where(sql<boolean>`now.rate is ${sql.raw(priced === 'true' ? 'not null' : 'null')}`)
  if (search) {
    const words = containing(search)
    found = found.where(sql<boolean>`(lower(network.name) like ${words} or network.mccmnc like ${words} or lower(now.zone) like ${words})`)
  }
  return found
}

/** One network. Throws not_found. */
export async function getOperator(db: Db, at: Date, mccmnc: string): Promise<Operator> {
  const row = await operatorsOn(db, dayOf(at)).select(inFull).where('network.mccmnc', '=', mccmnc).executeTakeFirst()
  if (!row) throw new Problem(notFound, `No network has the code ${mccmnc}`)
  return row
}

/** Every rate of a network, the newest first. Throws not_found. */
export async function listOperatorRates(db: Db, mccmnc: string): Promise<Rate[]> {
  await db
    .selectFrom('network')
    .select('mccmnc')
    .where('mccmnc', '=', mccmnc)
    .executeTakeFirstOrThrow(() => new Problem(notFound))
  const rows = await db.selectFrom('network_rate').selectAll().where('mccmnc', '=', mccmnc).orderBy('effective_from', 'desc').execute()
  return rows.map(({ mccmnc: _, set_at, ...rate }) => ({ ...rate, set_at: set_at.toISOString() }))
}
