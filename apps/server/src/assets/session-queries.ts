import { sql } from 'kysely'
import type { DataSession } from '@masthead/contract/assets/sim'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import type { Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { toSession } from './session-row.ts'
import { anyOf, type Viewer } from './viewer.ts'

const sessionsOf = (db: Db, account_id: string) => db.selectFrom('data_session as session').where('session.account_id', '=', account_id)

const inFull = (sessions: ReturnType<typeof sessionsOf>) =>
  sessions
    .innerJoin('gateway', 'gateway.id', 'session.gateway_id')
    .leftJoin('network', 'network.mccmnc', 'session.mccmnc')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'session.account_id').onRef('sim.id', '=', 'session.sim_id'))
    .select(['session.id', 'sim.iccid', 'session.acct_session_id', 'gateway.name as gateway', 'session.apn', 'session.ip'])
    .select(['session.rat', 'session.mccmnc', 'session.imei', 'session.cell', 'session.started_at', 'session.updated_at'])
    .select(['session.heard_at', 'session.ended_at', 'session.end_cause', 'session.bytes_up', 'session.bytes_down'])
    .select([
      'session.interim_seconds',
      'session.disconnect',
      'session.forbidden',
      'network.name as network_name',
      'network.country as network_country',
    ])

/** All sessions of an asset, newest first. */
export async function listSessions(db: Db, viewer: Viewer, asset_id: string, query: PageQuery): Promise<Page<DataSession>> {
  const sims = await db
    .selectFrom('sim')
    .select('id')
    .where('account_id', '=', viewer.account_id)
    .where('asset_id', '=', asset_id)
    .execute()
  const all = sessionsOf(db, viewer.account_id)
    .where('session.sim_id', '=', anyOf(sims.map((sim) => sim.id)))
    .where('session.asset_id', '=', asset_id)
  return pageByKey(db, query, {
    name: 'sessions',
    all,
    keys: [
      { of: sql.ref('session.started_at'), is: 'time' },
      { of: sql.ref('session.id'), is: 'text' },
    ],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map((row) => toSession(row, viewer.at)),
  })
}
