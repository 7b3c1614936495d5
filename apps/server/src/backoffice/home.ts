import { sql } from 'kysely'
import { gatewaySilentAfter, listGateways } from '@masthead/contract/backoffice/gateway-operations'
import type { getHome as homeOp, SearchHit } from '@masthead/contract/backoffice/home-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { isOverdue, partsOf } from '../gateways/index.ts'
import type { Actor, AppDb, Db } from '../kernel/app.ts'
import { beginning, containing } from '../kernel/http/like.ts'
import { latestStaffSupport } from '../terminal/index.ts'
import { latestStaffLog } from './staff/staff-log-queries.ts'
import { recordSearch } from './staff/staff-log.ts'

const shownOfEach = 8
const latestShown = 8
const supportShown = 5

/** How the installation is, over all accounts: kept counts and small tables, whatever their size. */
export async function getHome(db: Db, actor: Actor): Promise<Reply<typeof homeOp>> {
  const silentAt = new Date(actor.at.getTime() - gatewaySilentAfter * 1000)
  const { rows } = await sql<Omit<Reply<typeof homeOp>, 'latest' | 'latest_support'>>`select
    (select count(*) from account) as accounts,
    (select count(*) from account where suspended_at is not null) as suspended,
    (select coalesce(sum(count), 0)::bigint from asset_count) as assets,
    (select coalesce(sum(count), 0)::bigint from asset_count where sim_status = 'active') as active_sims,
    (select coalesce(sum(count), 0)::bigint from asset_count where sim_status = 'blocked') as blocked_sims,
    (select count(*) from data_session where ended_at is null) as open_sessions,
    (select count(*) from gateway where disabled_at is null and not of_feed and joined_into is null) as gateways,
    (select count(*) from gateway g where g.disabled_at is null
      and exists (select from gateway_address a where a.gateway_id = g.id and a.heard_at is not null)
      and not exists (select from gateway_address a where a.gateway_id = g.id
        and a.heard_at between ${silentAt} and ${actor.at}::timestamptz + interval '1 day')
      and (not exists (select from data_session s where s.gateway_id = any(${partsOf(sql.ref('g.id'))}) and s.ended_at is null)
        or ${isOverdue(sql.ref('g.id'), actor.at)})) as silent_gateways,
    (select count(*) from quarantine where state = 'open') as quarantined,
    (select count(*) from inventory where account_id is null and released_at is not null and reserved_for is null) as free_stock,
    (select count(*) from graphile_worker.jobs where run_at <= now() and locked_at is null) as waiting_jobs,
    (select greatest(0, extract(epoch from ${actor.at}::timestamptz - complete_until))::int from rollup_progress where name = 'usage') as usage_lag_seconds`.execute(
    db
  )
  const own = actor.staff.includes(listStaffLog.access) ? {} : { staff: actor.email }
  return {
    ...rows[0]!,
    latest: await latestStaffLog(db, own, latestShown),
    latest_support: await latestStaffSupport(db, actor, supportShown),
  }
}

type Hit = Omit<SearchHit, 'type' | 'status'> & { type: string | null; status: string | null }

/** Whatever has this in a name or a number, as far as they may open it. Each part goes by its own index and stops at a few. */
export async function listSearchHits(db: AppDb, actor: Actor, search: string): Promise<SearchHit[]> {
  const digits = search.replaceAll(/[\s+().-]/g, '')
  const number = /^\d{3,}$/.test(digits) ? digits : search
  const [words, start] = [containing(search), beginning(number)]
  const networks = actor.staff.includes(listGateways.access)
  const { rows } = await sql<Hit>`
    (select 'account' as kind, owner.email as id, account.team_name as label, owner.email as note, owner.email as account,
        null::text as type, case when account.suspended_at is not null then 'suspended' end as status
      from account join person owner on owner.account_id = account.id
      where lower(account.team_name) like ${words} order by lower(account.team_name), account.id limit ${shownOfEach})
    union all
    (select 'person', person.email, person.email, account.team_name, person.email, null, null
      from person join account on account.id = person.account_id where person.email like ${words} order by person.email limit ${shownOfEach})
    union all
    (select 'asset', asset.id, asset.name, asset.serial, owner.email, asset.type, asset.sim_status
      from asset join person owner on owner.account_id = asset.account_id
      where asset.search like ${words} or asset.search like ${containing(number)} limit ${shownOfEach})
    union all
    (select 'stock', serial, serial, coalesce(iccid, 'No SIM')
        || case when released_at is not null and reserved_for is not null then ' · Handed over to ' || reserved_for else '' end, null, type, null
      from inventory where account_id is null and (lower(serial) like ${beginning(search)} or iccid = ${number} or msisdn = ${number}
        or imsis @> array[${number}]) order by lower(serial) limit ${shownOfEach})
    union all
    (select 'gateway', gateway.id, name, string_agg(host(address), ', ' order by address), null, null, null
      from gateway join gateway_address on gateway_id = gateway.id where ${networks}::boolean
      group by gateway.id having lower(name) like ${words} or bool_or(host(address) like ${start}) order by name limit ${shownOfEach})
    union all
    (select 'quarantine', identity, identity, count(*) || case when count(*) = 1 then ' session' else ' sessions' end || ' not counted', null, null, null
      from quarantine where ${networks}::boolean and state = 'open' and identity like ${start}
      group by identity order by identity limit ${shownOfEach})`.execute(db)
  await recordSearch(db, actor, search)
  return rows.map((row) => ({ ...row, status: row.kind === 'asset' ? row.status : null }) as SearchHit)
}
