import { sql } from 'kysely'
import type { FoundNumbers, findNumbers as findNumbersOp } from '@masthead/contract/assets/find-operations'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Actor, Tx } from '../../kernel/app.ts'
import { visibleTo } from '../viewer.ts'

const listId = idKind('lst')
const keptFor = 86_400_000 // ms
const mostLists = 20 // of an account

/** Finds the assets that are meant by numbers, as far as the actor sees them, and keeps them as a list for a day. */
export async function findNumbers(tx: Tx, actor: Actor, { numbers }: Parsed<typeof findNumbersOp>['body']): Promise<FoundNumbers> {
  const ids = await idsOf(tx, actor, numbers)
  const unknown = numbers.flatMap((number, nth) => (ids[nth] === null ? [{ line: nth + 1, number, words: whyUnknown(number) }] : []))
  const found = [...new Set(ids.filter((id) => id !== null))]
  const told = { found: found.length, repeated: numbers.length - unknown.length - found.length, unknown }
  if (found.length === 0) return { list: null, expires_at: null, ...told }
  const { account_id, at } = actor
  const id = newId(listId, at.getTime())
  await tx.insertInto('asset_list').values({ account_id, id, asset_ids: found, made_at: at }).execute()
  await sql`delete from asset_list where account_id = ${account_id} and (made_at < ${new Date(at.getTime() - keptFor)}
    or id not in (select id from asset_list where account_id = ${account_id} order by made_at desc, id desc limit ${mostLists}))`.execute(
    tx
  )
  return { list: id, expires_at: new Date(at.getTime() + keptFor).toISOString(), ...told }
}

/** By each number, in its order, the id of its asset, or null. */
async function idsOf(tx: Tx, actor: Actor, numbers: readonly string[]): Promise<(string | null)[]> {
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
  return rows.map(({ id }) => id)
}

/** What is wrong with the number itself, or that none of the actor's assets has it. */
function whyUnknown(number: string): string {
  const digits = number.replaceAll(/[\s-]/g, '')
  if (/^89\d+$/.test(digits) && !parseIccid(number)) return `${digits.length} digits; an ICCID has 19 or 20`
  if (/^89\d{18}$/.test(digits) && iccidForms(digits).length === 1) return 'The check digit of this ICCID is wrong'
  return 'No asset that you see has this number'
}
