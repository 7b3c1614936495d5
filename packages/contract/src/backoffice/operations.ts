import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { ownAccount, staffMayMore } from './problems.ts'

export const leaveBackoffice = operation({
  name: 'backoffice.leaveBackoffice',
  method: 'POST',
  path: '/backoffice/logout',
  summary: 'End the backoffice session; the token stops working',
  access: 'backoffice',
  spends: 'session',
})

/** A CSV with the columns `type,serial,iccid,imsi,msisdn,eid,imei` (several IMSIs separated by `;`), streamed; safe to send again. */
export const loadInventory = operation({
  name: 'backoffice.loadInventory',
  method: 'POST',
  path: '/backoffice/inventory',
  summary: 'Load stock: assets and SIMs that customers may register',
  access: 'backoffice',
  query: z.object({
    /** E-mail of the account the assets are registered to. */
    account: z.optional(z.string()),
    /** With `account`: SIMs start in state active. */
    active: z.optional(z.enum(['true', 'false'])),
  }),
  takes: 'csv',
  reply: z.object({
    rows: z.int(),
    loaded: z.int(),
    /** Rows that were there already, the same. */
    unchanged: z.int(),
    failed: z.int(),
    /** The first 1,000 bad rows, by line. */
    errors: z.array(z.object({ line: z.int(), words: z.string() })),
  }),
  problems: [ownAccount, staffMayMore],
})
