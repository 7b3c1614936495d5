import { sql } from 'kysely'
import type { Customer, CustomerDetails, listAccounts as promise } from '@masthead/contract/backoffice/account-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { lastActive } from '../../auth/index.ts'
import { factorOf } from '../../factors/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { containing } from '../../kernel/http/like.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { getQuota } from '../../registry/index.ts'
import { tagNamesOf } from '../../tags/index.ts'

/** Every account, a page at a time. */
export async function listAccounts(db: Db, query: Parsed<typeof promise>['query']): Promise<Reply<typeof promise>> {
  const { sort } = query
  const key = sort.endsWith('team_name') ? keys.team_name : keys.created_at
  return pageByKey(db, query, {
    name: `accounts ${sort}`,
    all: matching(db, query),
    keys: [key, keys.id],
    order: sort.startsWith('-') ? 'desc' : 'asc',
    rows: (page) => page.select('account.id'),
    // What is shown of each is counted for these alone, and not for all that the page leaves out.
    items: async (rows) => {
      const ids = rows.map(({ id }) => id)
      const customers = await db
        .selectFrom('account')
        .innerJoin('person as owner', 'owner.account_id', 'account.id')
        .select(customerColumns)
        .where('account.id', '=', sql<string>`any(${ids}::text[])`)
        .execute()
      const byId = new Map(customers.map((row) => [row.id, asCustomer(row)]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
  })
}

const keys = {
  team_name: { of: sql`lower(account.team_name)`, is: 'text' },
  created_at: { of: sql.ref('account.created_at'), is: 'time' },
  id: { of: sql.ref('account.id'), is: 'text' },
} as const

const customerColumns = [
  'account.id',
  'owner.email',
  'account.team_name',
  'account.suspended_at',
  'account.suspended_reason',
  'account.created_at',
  sql<number>`(select coalesce(sum(count), 0) from asset_count c where c.account_id = account.id)`.as('assets'),
  sql<number>`(select count(*) from membership m where m.account_id = account.id)`.as('members'),
] as const

const asCustomer = ({ suspended_at, created_at, ...row }: Omit<Customer, 'suspended_at' | 'created_at'> & Times): Customer => ({
  ...row,
  suspended_at: suspended_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
})
type Times = { suspended_at: Date | null; created_at: Date }

function matching(db: Db, { search, suspended }: Pick<Parsed<typeof promise>['query'], 'search' | 'suspended'>) {
  let accounts = db.selectFrom('account').innerJoin('person as owner', 'owner.account_id', 'account.id')
  if (suspended) accounts = accounts.where('account.suspended_at', suspended === 'true' ? 'is not' : 'is', null)
  if (search) {
    const words = containing(search)
    // Each by its own index, then together.
    accounts = accounts.where(
      sql<boolean>`account.id in (select id from account where lower(team_name) like ${words}
        union all select account_id from person where email like ${words})`
    )
  }
  return accounts
}

/** Whose account an e-mail names. Throws not_found. */
export async function getAccountOf(db: Db, email: string): Promise<{ id: string; email: string }> {
  const owner = await db
    .selectFrom('person')
    .select(['account_id as id', 'email'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  if (!owner) throw new Problem(notFound, 'No account belongs to this e-mail address')
  return owner
}

/** The same, and nobody else changes the account until the transaction ends. */
export async function getAccountForUpdate(tx: Tx, email: string) {
  const owner = await getAccountOf(tx, email)
  const account = await tx
    .selectFrom('account')
    .select(['team_name', 'suspended_at', 'suspended_reason', 'feature_flags', 'closed_at', 'test_bytes'])
    .where('id', '=', owner.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { ...owner, ...account }
}

/** Whether the actor is a member of the account, and somebody is staff who is not and whose account is in service. */
export async function isForOthers(db: Db, { person_id }: Actor, account_id: string): Promise<boolean> {
  const { rows } = await sql<{
    is: boolean
  }>`select exists (select from membership where account_id = ${account_id} and person_id = ${person_id}) and exists (
    select from person p join account a on a.id = p.account_id where 'backoffice' = any(p.permissions) and a.suspended_at is null and a.id <> ${account_id}
      and not exists (select from membership m where m.account_id = ${account_id} and m.person_id = p.id)) as is`.execute(db)
  return rows[0]!.is
}

/** All that staff see of an account. */
export async function getCustomer(db: Db, actor: Actor, account_id: string): Promise<CustomerDetails> {
  const row = await db
    .selectFrom('account')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(customerColumns)
    .select([
      'account.currency',
      'account.timezone',
      'account.feature_flags',
      'account.test_bytes',
      'account.closed_at',
      'account.erase_at',
      'owner.id as person_id',
      'owner.groups',
    ])
    .select([
      'owner.email_proven_at',
      'owner.email_proven_by',
      'owner.permissions as staff_permissions',
      'account.second_factor_demanded_at',
      lastActive('owner', 'account.id'),
    ])
    .select(hasFactor('owner'))
    .where('account.id', '=', account_id)
    .executeTakeFirstOrThrow()
  const {
    person_id,
    currency,
    timezone,
    feature_flags,
    test_bytes,
    groups,
    closed_at,
    erase_at,
    staff_permissions,
    second_factor,
    second_factor_demanded_at,
    ...rest
  } = row
  const { last_active_at, email_proven_at, email_proven_by, ...customer } = rest
  const [registry, statuses, team, invitations, member_of, notes, bytes_this_month, for_others] = await Promise.all([
    getQuota(db, account_id),
    db
      .selectFrom('asset_count')
      .select(['sim_status', (eb) => eb.fn.sum<number>('count').as('count')])
      .where('account_id', '=', account_id)
      .groupBy('sim_status')
      .execute(),
    listTeam(db, account_id),
    db.selectFrom('invitation').select(['email', 'expires_at']).where('account_id', '=', account_id).orderBy('created_at').execute(),
    db
      .selectFrom('membership')
      .innerJoin('account', 'account.id', 'membership.account_id')
      .innerJoin('person as owner', 'owner.account_id', 'account.id')
      .select(['owner.email', 'account.team_name'])
      .where('membership.person_id', '=', person_id)
      .orderBy('owner.email')
      .execute(),
    db
      .selectFrom('account_note')
      .select(['id', 'by_email as by', 'text', 'created_at'])
      .where('account_id', '=', account_id)
      .orderBy('id', 'desc')
      .execute(),
    usedThisMonth(db, actor.at, account_id),
    isForOthers(db, actor, account_id),
  ])
  return {
    ...asCustomer(customer),
    currency,
    timezone,
    feature_flags,
    test_bytes,
    groups,
    registry,
    closed_at: closed_at?.toISOString() ?? null,
    erase_at: erase_at?.toISOString() ?? null,
    staff_permissions,
    sim_statuses: Object.fromEntries(statuses.filter(({ count }) => count > 0).map(({ sim_status, count }) => [sim_status, count])),
    bytes_this_month,
    for_others,
    second_factor,
    second_factor_demanded: second_factor_demanded_at !== null,
    email_proven: email_proven_at && email_proven_by && { at: email_proven_at.toISOString(), by: email_proven_by },
    last_active_at: last_active_at?.toISOString() ?? null,
    team: team.map(({ since, ...member }) => ({ ...member, since: since.toISOString() })),
    invitations: invitations.map(({ email, expires_at }) => ({ email, expires_at: expires_at.toISOString() })),
    member_of,
    notes: notes.map(({ created_at, ...note }) => ({ ...note, created_at: created_at.toISOString() })),
  }
}

const listTeam = (db: Db, account_id: string) =>
  db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.email', 'membership.permissions', 'membership.created_at as since', hasFactor('person')])
    .select(tagNamesOf('membership').as('tags'))
    .where('membership.account_id', '=', account_id)
    .orderBy('person.email')
    .execute()

async function usedThisMonth(db: Db, at: Date, account_id: string) {
  const month = `${at.toISOString().slice(0, 7)}-01T00:00:00Z`
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes_up) + sum(bytes_down), 0) as bytes from account_usage_hour
    where account_id = ${account_id} and hour >= ${month}`.execute(db)
  return rows[0]!.bytes
}

const hasFactor = (person: 'owner' | 'person') => sql<boolean>`${sql.raw(factorOf(`${person}.id`))}`.as('second_factor')
