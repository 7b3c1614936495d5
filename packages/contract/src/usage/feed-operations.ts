import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { RowErrors, Rows } from './feed-rows.ts'
import { feedKeyUnknown } from './problems.ts'

/** By the key of a feed in `X-Feed-Key`. Answered once all of it is committed; a record that was sent before changes nothing. */
export const addFeedRecords = operation({
  name: 'usage.addFeedRecords',
  method: 'POST',
  path: '/feeds/records',
  summary:
    'Report usage: up to 1,000 records with id, imsi or iccid or msisdn, ended_at, bytes_up, bytes_down, and started_at, mccmnc, rat, imei, apn where they are known',
  access: 'public',
  ownKey: 'X-Feed-Key',
  body: z.object({ records: Rows }),
  reply: z.object({
    counted: z.int(),
    /** Another feed counts for their SIMs: the difference is shown to staff. */
    compared: z.int(),
    /** Sent before, or twice in this call. */
    duplicates: z.int(),
    /** No SIM has their number, or it was registered later: staff may match them. */
    quarantined: z.int(),
    errors: RowErrors,
  }),
  problems: [feedKeyUnknown, tooManyRequests],
})
