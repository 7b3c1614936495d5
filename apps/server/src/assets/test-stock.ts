import { luhnDigit } from '@masthead/contract/assets/iccid'
import type { AssetType } from '@masthead/contract/assets/asset'
import { registerAsset } from '@masthead/contract/assets/operations'
import type { House, Person } from '@masthead/testkit/house'

let made = 0

/** A piece of stock like no other: serial number, ICCID with its check digit, one IMSI. */
export async function addStock(
  house: House,
  changes: { type?: AssetType; serial?: string; iccid?: string | null; released_at?: Date | null } = {}
) {
  const number = String(++made).padStart(6, '0')
  const body = `894450000012${number}`
  const stock = {
    type: 'alpon_x4' as AssetType,
    serial: `X4-${number}`,
    iccid: (body + luhnDigit(body)) as string | null,
    imsis: [`262010000${number}`],
    msisdn: `49151000${number}`,
    eid: null,
    imei: `35693803${number}9`,
    account_id: null,
    asset_id: null,
    registered_at: null,
    ...changes,
  }
  await house.db.insertInto('inventory').values(stock).execute()
  return stock
}

/** An asset of somebody, registered as people do it. */
export async function addAsset(
  house: House,
  owner: Person,
  { name, tags, ...stock }: { name?: string; tags?: string[] } & Parameters<typeof addStock>[1] = {}
) {
  const { serial } = await addStock(house, stock)
  const { status, body, text } = await owner.call(registerAsset, { body: { token: serial, name, tags } })
  if (status !== 200) throw new Error(text)
  return body
}
