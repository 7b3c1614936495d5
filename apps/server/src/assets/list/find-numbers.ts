import { sql } from 'kysely'
import type { FoundNumbers, findNumbers as findNumbersOp } from '@masthead/contract/assets/find-operations'
import { iccidForms, luhnDigit, parseIccid } from '@masthead/contract/assets/iccid'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Actor, Tx } from '../../kernel/app.ts'
import { visibleTo } from '../viewer.ts'

const listId = idKind('lst')
const keptFor = 86_400_000 // ms
const mostLists = 20 // of an account

/** Finds the assets that are meant by numbers, as far as the actor sees them, and keeps them as a list for a day. */
export async function findNumbers(tx: Tx, actor: Actor, { numbers }: Parsed<typeof findNumbersOp>['body']): Promise<FoundNumbers> {
  const ids = await addDevices(tx, actor, numbers, await idsOf(tx, actor, numbers))
  const unknown = numbers.flatMap((number, nth) => (ids[nth]!.length === 0 ? [{ line: nth + 1, number, words: whyUnknown(number) }] : []))
  const seen = new Set<string>()
  let repeated = 0
  for (const each of ids) {
    if (each.length > 0 && each.every((id) => seen.has(id))) repeated++
    for (const id of each) seen.add(id)
  }
  const found = [...seen]
  const matched = { found: found.length, repeated, unknown }
  if (found.length === 0) return { list: null, expires_at: null, ...matched }
  const { account_id, at } = actor
  const id = newId(listId, at.getTime())
  await tx.insertInto('asset_list').values({ account_id, id, asset_ids: found, made_at: at }).execute()
  await sql`delete from asset_list where account_id = ${account_id} and (made_at < ${new Date(at.getTime() - keptFor)}
    or id not in (select id from asset_list where account_id = ${account_id} order by made_at desc, id desc limit ${mostLists}))`.execute(
    tx
  )
  return { list: id, expires_at: new Date(at.getTime() + keptFor).toISOString(), ...matched }
}

/** By each number, in its order, the id of its asset, if there is one. */
async function idsOf(tx: Tx, actor: Actor, numbers: readonly string[]): Promise<string[][]> {
  const { account_id } = actor
  const given = numbers.map((number, place) => {
    const iccid = parseIccid(number)
    const digits = number.replaceAll(/[\s+().-]/g, '')
    return { place, key: number, digits: /^\d{5,15}$/.test(digits) ? digits : null, iccids: iccid ? iccidForms(iccid) : [] }
  })
  const { rows } = await sql<{ id: string | null }>`select found.id
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (place int, key text, digits text, iccids text[])
    left join lateral (select asset.id from asset where ${visibleTo(actor)} and asset.id = any(array(
      select given.key
      union all select id from asset where account_id = ${account_id} and lower(serial) = lower(given.key)
      union all select asset_id from sim where account_id = ${account_id} and iccid = any(given.iccids)
      union all select asset_id from sim where account_id = ${account_id} and msisdn = given.digits
      union all select sim.asset_id from sim_imsi i join sim on sim.account_id = i.account_id and sim.id = i.sim_id
        where i.account_id = ${account_id} and i.imsi = given.digits)) limit 1) found on true
    order by given.place`.execute(tx)
  return rows.map(({ id }) => (id === null ? [] : [id]))
}

/**
 * Adds whom an IMEI or EID means among the numbers that named nothing else; of a device with several SIMs all. No index has these, so they are looked for in one
 * walk through the account's SIMs, and only where there is such a number.
 */
async function addDevices(tx: Tx, actor: Actor, numbers: readonly string[], ids: readonly string[][]): Promise<readonly string[][]> {
  const unnamed = numbers.map((number, nth) => (ids[nth]!.length > 0 ? '' : number.replaceAll(/[\s-]/g, '')))
  const devices = new Set(unnamed.filter(isDevice).map((digits) => digits.slice(0, 14)))
  const eids = new Set(unnamed.filter((digits) => /^\d{32}$/.test(digits)))
  if (devices.size + eids.size === 0) return ids
  type Row = { id: string; imei: string | null; eid: string | null }
  const { rows } =
    await sql<Row>`select asset.id, sim.imei, sim.eid from sim join asset on asset.account_id = sim.account_id and asset.id = sim.asset_id
    where sim.account_id = ${actor.account_id} and ${visibleTo(actor)}
      and (left(sim.imei, 14) = any(${[...devices]}::text[]) or sim.eid = any(${[...eids]}::text[])) order by asset.id`.execute(tx)
  const ofDevice = Map.groupBy(rows, ({ imei }) => imei?.slice(0, 14))
  const ofEid = Map.groupBy(rows, ({ eid }) => eid)
  return ids.map((known, nth) => {
    const digits = unnamed[nth]!
    if (eids.has(digits)) return (ofEid.get(digits) ?? []).map(({ id }) => id)
    if (!isDevice(digits)) return known
    return (ofDevice.get(digits.slice(0, 14)) ?? []).filter(({ imei }) => isSameDevice(imei!, digits)).map(({ id }) => id)
  })
}

/** An IMEI with its check digit, without one, or with a software version in its place. */
const isDevice = (digits: string) =>
  /^\d{14}(\d\d)?$/.test(digits) || (/^\d{15}$/.test(digits) && digits.slice(0, 14) + luhnDigit(digits.slice(0, 14)) === digits)

/** Two software versions are two numbers. */
const isSameDevice = (imei: string, digits: string) =>
  imei === digits || (imei.slice(0, 14) === digits.slice(0, 14) && !(imei.length === 16 && digits.length === 16))

/** What is wrong with the number itself, or that none of the actor's assets has it. */
function whyUnknown(number: string): string {
  const digits = number.replaceAll(/[\s-]/g, '')
  if (/^89\d+$/.test(digits) && !parseIccid(number)) return `${digits.length} digits; an ICCID has 19 or 20`
  if (/^89\d{18}$/.test(digits) && iccidForms(digits).length === 1) return 'The check digit of this ICCID is wrong'
  return 'No asset that you see has this number'
}
