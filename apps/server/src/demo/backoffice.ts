import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { accountViewed } from '@masthead/contract/backoffice/events'
import { gatewayAdded, networksImported, searched } from '@masthead/contract/backoffice/staff-actions'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import type { Tx } from '../kernel/app.ts'
import type { DemoAsset } from './fleet.ts'
import { staffEmail } from './people.ts'

const day = 86_400_000

type Place = {
  now: Date
  account_id: string
  account_email: string
  staff_id: string
  gateways: Map<string, string>
  fleet: readonly DemoAsset[]
}

/** What staff look after: rates of the networks in use, usage that matched no SIM, and what they did so far. */
export async function seedBackoffice(tx: Tx, place: Place): Promise<void> {
  await rateNetworks(tx, place)
  await quarantineUsage(tx, place)
  await noteAccount(tx, place)
  await writeStaffLog(tx, place)
}

/** Zones by the first digit of a network's country code (ITU-T E.212): cost and price in millionths of a dollar for a megabyte. */
const zones: Record<string, [zone: string, cost: number, price: number]> = {
  2: ['Europe', 2_100, 6_000],
  3: ['North America', 3_400, 9_500],
  4: ['Asia', 5_800, 14_000],
  5: ['Oceania', 6_200, 16_000],
  7: ['South America', 7_500, 21_000],
}

async function rateNetworks(tx: Tx, { now, fleet }: Place) {
  const rats = new Map<string, Set<string>>()
  for (const { route } of fleet) for (const { mccmnc, rat } of route) rats.set(mccmnc, (rats.get(mccmnc) ?? new Set(['EUTRAN'])).add(rat))
  const used = [...rats].map(([mccmnc, offered]) => ({ mccmnc, rats: [...offered].toSorted() }))
  await sql`update network set rats = given.rats
    from jsonb_to_recordset(${JSON.stringify(used)}::jsonb) as given (mccmnc text, rats text[]) where network.mccmnc = given.mccmnc`.execute(
    tx
  )
  const known = await tx
    .selectFrom('network')
    .select('mccmnc')
    .where('mccmnc', 'in', [...rats.keys()])
    .execute()
  const from = (days: number) => dayOf(now.getTime() + days * day)
  const rates = known.flatMap(({ mccmnc }) => {
    const [zone, cost_micros, price_micros] = zones[mccmnc[0]!] ?? zones[4]!
    const rate = {
      mccmnc,
      zone,
      cost_micros,
      price_micros,
      effective_from: from(-300),
      set_by: staffEmail,
      set_at: new Date(now.getTime() - 301 * day),
    }
    // Europe gets cheaper soon.
    const next = { ...rate, price_micros: 5_500, effective_from: from(30), set_at: new Date(now.getTime() - 2 * day) }
    return mccmnc.startsWith('2') ? [rate, next] : [rate]
  })
  await tx.insertInto('network_rate').values(rates).execute()
}

/** Two SIMs that nobody registered are on the network: one of a batch that was never loaded, one that is in stock. */
async function quarantineUsage(tx: Tx, { now, gateways }: Place) {
  const [name, gateway_id] = [...gateways][0]!
  const row = (hoursAgo: number, identity: string, reason: string, up: number, down: number, kind: 'interim' | 'stop') => {
    const at = new Date(now.getTime() - hoursAgo * 3_600_000)
    const acct_session_id = `9f${Math.round(at.getTime() / 1000).toString(16)}`
    const packet = {
      kind,
      nas: name,
      acct_session_id,
      gateway_id,
      heard_from: null,
      is_timed: true,
      imsi: identity,
      msisdn: null,
      user_name: null,
      event_at: at.getTime(),
      received_at: at.getTime(),
      session_time: 5400,
      counter_up: up,
      counter_down: down,
      has_gigawords: true,
      end_cause: kind === 'stop' ? 'User request' : null,
      apn: 'iot.acme',
      ip: '10.64.3.17',
      rat: 'LTE-M',
      mccmnc: '262-01',
      imei: null,
      cell: null,
    }
    return {
      id: newId('quarantine', at.getTime()),
      reason,
      gateway_id,
      nas: name,
      acct_session_id,
      identity,
      imsi: identity,
      first_at: new Date(at.getTime() - 5_400_000),
      last_at: at,
      packets: 19,
      counter_up: up,
      counter_down: down,
      mccmnc: '262-01',
      rat: 'LTE-M',
      last_packet: JSON.stringify(packet),
    }
  }
  const unknown = 'No SIM has this number'
  await tx
    .insertInto('quarantine')
    .values([
      row(30, '204080099990017', unknown, 412_000, 1_934_000, 'stop'),
      row(17, '204080099990017', unknown, 388_000, 2_210_000, 'stop'),
      row(3, '204080099990017', unknown, 97_000, 640_000, 'stop'),
      row(9, '204089900000003', 'The SIM is in stock and not registered to an account', 21_000, 84_000, 'stop'),
    ])
    .execute()
}

const noteAccount = (tx: Tx, { now, account_id }: Place) =>
  tx
    .insertInto('account_note')
    .values({
      account_id,
      id: newId('note', now.getTime() - 12 * day),
      by_email: staffEmail,
      text: 'Second line is reached by phone only on weekdays. Ask for the fleet desk.',
      created_at: new Date(now.getTime() - 12 * day),
    })
    .execute()

/** What staff did before the demo began: the same rows that their screens write. */
async function writeStaffLog(tx: Tx, { now, account_id, account_email, staff_id }: Place) {
  const line = (
    daysAgo: number,
    kind: EventKind<never>,
    detail: Record<string, unknown>,
    more: { target: string; reason: string; own?: boolean }
  ) => {
    const at = new Date(now.getTime() - daysAgo * day)
    return {
      id: newId('staff_log', at.getTime()),
      at,
      staff_email: staffEmail,
      person_id: staff_id,
      action: kind.name,
      account_id: more.own ? account_id : null,
      account_email: more.own ? account_email : null,
      target: more.target,
      reason: more.reason,
      result: 'ok' as const,
      detail: JSON.stringify(detail),
      ip: '192.0.2.44',
    }
  }
  const reason = 'Ticket 4471: SIM without service'
  const named = (kind: unknown) => kind as EventKind<never>
  await tx
    .insertInto('staff_log')
    .values([
      line(90, named(gatewayAdded), { name: 'pgw-sin-1', address: '127.0.0.4' }, { target: 'pgw-sin-1', reason: 'Third site' }),
      line(12.1, named(searched), { query: 'reefer-truck' }, { target: 'reefer-truck', reason }),
      line(12, named(accountViewed), { reason }, { target: account_email, reason, own: true }),
      line(
        2,
        named(networksImported),
        { added: 0, changed: 14, effective_from: dayOf(now.getTime() + 30 * day) },
        { target: 'Networks', reason: 'New agreement for Europe' }
      ),
    ])
    .execute()
  // And the customer was notified.
  const at = new Date(now.getTime() - 12 * day)
  await tx
    .insertInto('event')
    .values({
      account_id,
      id: newId('event', at.getTime()),
      at,
      category: 'backoffice',
      action: 'account_viewed',
      actor_kind: 'staff',
      actor_email: staffEmail,
      detail: JSON.stringify({ reason }),
    })
    .execute()
}
