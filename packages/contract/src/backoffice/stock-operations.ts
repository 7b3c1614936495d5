import * as z from 'zod/mini'
import { AssetType } from '../assets/asset.ts'
import { Email, listOf, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { assetInUse, ownAccount, personUnknown, sameAccount, staffMayMore, stockNotFree } from './problems.ts'
import { Reason } from './reason.ts'

/** `handed_over`: it waits for the account of an address. That one may register it, and the one that handed it over may take it back the same way. */
export const StockState = z.enum(['free', 'reserved', 'handed_over', 'registered'])

export const Stock = z.object({
  serial: z.string(),
  type: AssetType,
  iccid: z.nullable(z.string()),
  imsis: z.array(z.string()),
  msisdn: z.nullable(z.string()),
  eid: z.nullable(z.string()),
  imei: z.nullable(z.string()),
  state: StockState,
  loaded_at: Time,
  registered_at: z.nullable(Time),
  /** E-mail of the account it is registered to. */
  account: z.nullable(z.string()),
  /** E-mail of the account that it was handed over to. */
  reserved_for: z.nullable(z.string()),
  asset_id: z.nullable(z.string()),
})
export type Stock = z.output<typeof Stock>

export const listStock = operation({
  name: 'backoffice.listStock',
  method: 'GET',
  path: '/backoffice/inventory',
  summary: 'Everything that was ever loaded into stock, by serial number or the newest first',
  access: 'backoffice',
  query: z.extend(PageQuery, {
    /** The beginning of a serial number; a whole ICCID, IMSI or MSISDN. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(64))),
    state: z.optional(StockState),
    type: listOf(AssetType),
    /** E-mail of an account. */
    account: z.optional(z.string().check(z.maxLength(254))),
    sort: z._default(z.enum(['serial', '-serial', 'loaded_at', '-loaded_at']), '-loaded_at'),
  }),
  reply: page(Stock),
})

const Serials = z
  .array(z.string().check(z.minLength(1), z.maxLength(64)))
  .check(z.minLength(1, 'Choose some'), z.maxLength(500, 'At most 500 at once'))

export const assignStock = operation({
  name: 'backoffice.assignStock',
  method: 'POST',
  path: '/backoffice/inventory/assign',
  summary: 'Register stock to an account, all of it or nothing',
  access: 'backoffice',
  body: z.object({ serials: Serials, account: Email, active: z._default(z.boolean(), false), reason: Reason }),
  reply: z.object({ assigned: z.int() }),
  problems: [notFound, personUnknown, ownAccount, staffMayMore, stockNotFree],
})

/** Its past usage stays with the account that had it; the other one begins anew. */
export const transferStock = operation({
  name: 'backoffice.transferStock',
  method: 'POST',
  path: '/backoffice/inventory/{serial}/transfer',
  summary: 'Move a registered asset to another account, or back into stock',
  access: 'backoffice',
  /** Without an account: back into stock. */
  body: z.object({ account: z.nullish(Email), reason: Reason }),
  reply: Stock,
  problems: [notFound, personUnknown, sameAccount, assetInUse, ownAccount, staffMayMore, stockNotFree],
})
