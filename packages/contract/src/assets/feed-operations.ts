import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { RowErrors, Rows } from '../usage/feed-rows.ts'
import { feedKeyUnknown } from '../usage/problems.ts'

/** By the key of a feed in `X-Feed-Key`. They are shown on the network tab of the asset. */
export const addConnectionEvents = operation({
  name: 'assets.addConnectionEvents',
  method: 'POST',
  path: '/feeds/connection-events',
  summary:
    'Report what happened on the way to the network: up to 1,000 events with id, imsi or iccid or msisdn, at, and kind (accepted, rejected, detached, imei_changed); with reason, mccmnc, rat, imei and imei_before where they are known',
  access: 'public',
  ownKey: 'X-Feed-Key',
  body: z.object({ events: Rows }),
  reply: z.object({ kept: z.int(), duplicates: z.int(), errors: RowErrors }),
  problems: [feedKeyUnknown, tooManyRequests],
})
