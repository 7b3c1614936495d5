import { sql } from 'kysely'
import { type Gateway, type GatewayAddress, gatewaySilentAfter } from '@masthead/contract/backoffice/gateway-operations'
import { gatewayAmbiguous, gatewayUnknown } from '@masthead/contract/backoffice/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../kernel/app.ts'
import { isOverdue, partsOf } from './silence.ts'
import { past } from './times-ahead.ts'

/** Every gateway, without secrets. */
export async function listGateways(db: Db, at: Date): Promise<Gateway[]> {
  const rows = await inFull(db, at).orderBy('name').orderBy('id').execute()
  return rows.map((row) => asGateway(row, at))
}

/** Throws not_found. */
export async function getGateway(db: Db, at: Date, id: string): Promise<Gateway> {
  const row = await inFull(db, at).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asGateway(row, at)
}

type AddressRow = Omit<GatewayAddress, 'heard_at' | 'secret_changed_at' | 'created_at'> & {
  heard_at: string | null
  secret_changed_at: string | null
  created_at: string
}
const inFull = (db: Db, at: Date) =>
  db
    .selectFrom('gateway')
    .where('of_feed', '=', false)
    .where('joined_into', 'is', null)
    .select(['id', 'name', 'disabled_at', 'created_at'])
    .select([
      sql<number>`(select count(*) from data_session s where s.gateway_id = any(${partsOf(sql.ref('gateway.id'))}) and s.ended_at is null)`.as(
        'open_sessions'
      ),
      isOverdue(sql.ref('gateway.id'), at).as('is_overdue'),
      sql<
        AddressRow[]
      >`(select json_agg(json_build_object('id', a.id, 'address', host(a.address), 'legacy', a.legacy, 'coa_port', a.coa_port,
        'heard_at', a.heard_at, 'packets', a.packets, 'secret_changed_at', a.secret_changed_at, 'created_at', a.created_at) order by a.address)
        from gateway_address a where a.gateway_id = gateway.id)`.as('addresses'),
    ])
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

/** As JSON in the database writes a time, and as we do. */
const time = (text: string) => new Date(text).toISOString()

function asGateway({ disabled_at, created_at, addresses, is_overdue, ...row }: Row, at: Date): Gateway {
  const all = addresses.map((each) => ({
    ...each,
    heard_at: each.heard_at && time(each.heard_at),
    secret_changed_at: each.secret_changed_at && time(each.secret_changed_at),
    created_at: time(each.created_at),
  }))
  const received = all.flatMap((each) => each.heard_at ?? [])
  const last = Math.max(...received.map((each) => past(Date.parse(each), at.getTime())))
  const isSilent = at.getTime() - last > gatewaySilentAfter * 1000 && (row.open_sessions === 0 || is_overdue)
  return {
    ...row,
    state: disabled_at ? 'disabled' : received.length === 0 ? 'never' : isSilent ? 'silent' : 'hearing',
    heard_at: last === -Infinity ? null : new Date(last).toISOString(),
    packets: all.reduce((sum, { packets }) => sum + packets, 0),
    created_at: created_at.toISOString(),
    addresses: all,
  }
}

/** The gateway meant by a name or an address, for the command line. Throws gateway_unknown, gateway_ambiguous. */
export async function getGatewayId(db: Db, named: string): Promise<string> {
  const found = await db
    .selectFrom('gateway as g')
    .select(['g.id', sql<string>`(select string_agg(host(a.address), ' and ') from gateway_address a where a.gateway_id = g.id)`.as('at')])
    .where('g.of_feed', '=', false)
    .where('g.joined_into', 'is', null)
    .where((each) =>
      each.or([
        each('g.name', '=', named),
        sql<boolean>`exists (select from gateway_address a where a.gateway_id = g.id and host(a.address) = ${named})`,
      ])
    )
    .execute()
  if (found.length > 1) {
    const addresses = found.map(({ at }) => at).join(', ')
    throw new Problem(gatewayAmbiguous, `Several gateways are named ${named}. Say which by its address: ${addresses}`)
  }
  if (!found[0]) throw new Problem(gatewayUnknown, `There is no gateway with the name or address ${named}`)
  return found[0].id
}

/** The address meant by itself, or by the name of a gateway with one, for the command line. Throws gateway_unknown, gateway_ambiguous. */
export async function getAddressOf(db: Db, named: string): Promise<{ gateway_id: string; address_id: string }> {
  const all = await db
    .selectFrom('gateway_address as a')
    .innerJoin('gateway as g', 'g.id', 'a.gateway_id')
    .select(['a.gateway_id', 'a.id as address_id', 'a.address', 'g.name'])
    .where((each) => each.or([each('g.name', '=', named), each(each.fn('host', ['a.address']), '=', named)]))
    .orderBy('a.address')
    .execute()
  if (all.length > 1) {
    const addresses = all.map(({ address }) => address).join(', ')
    throw new Problem(gatewayAmbiguous, `${named} reports from several addresses. Say which: ${addresses}`)
  }
  const { gateway_id, address_id } = all[0] ?? {}
  if (!gateway_id || !address_id) throw new Problem(gatewayUnknown, `There is no gateway with the name or address ${named}`)
  return { gateway_id, address_id }
}
