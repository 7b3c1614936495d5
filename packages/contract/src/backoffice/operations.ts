import * as z from 'zod/mini'
import { codeWrong, credentialsWrong, passkeyRefused } from '../auth/problems.ts'
import { proofFields } from '../auth/proof.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { actingOnTeam, notStaff } from './problems.ts'
import { Reason } from './reason.ts'

/** Step-up: a signed token for `X-Backoffice-Token` with an `exp` claim in seconds (spec §3). */
export const enterBackoffice = operation({
  name: 'backoffice.enterBackoffice',
  method: 'POST',
  path: '/backoffice/access',
  summary: 'Confirm staff access and get a backoffice token',
  access: 'signed_in',
  body: z.object({
    ...proofFields,
    reason: Reason,
  }),
  reply: z.object({ token: z.string(), expires_at: Time }),
  problems: [notStaff, actingOnTeam, credentialsWrong, codeWrong, passkeyRefused, tooManyRequests],
  seals: true,
})

export const leaveBackoffice = operation({
  name: 'backoffice.leaveBackoffice',
  method: 'POST',
  path: '/backoffice/logout',
  summary: 'End the backoffice session; the token is worth nothing from now on',
  access: 'backoffice',
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
})
