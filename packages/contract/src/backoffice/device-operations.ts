import * as z from 'zod/mini'
import { AssetType } from '../assets/asset.ts'
import { Device } from '../devices/device.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'

/** `any_asset_id` is our id, the serial number or an ICCID, of any account. */
export const getStaffDevice = operation({
  name: 'backoffice.getStaffDevice',
  method: 'GET',
  path: '/backoffice/assets/{any_asset_id}/alpon',
  summary: 'What the device of an asset of any account reported; the customer sees that it was looked at',
  access: 'backoffice',
  reply: z.object({
    asset: z.object({ id: z.string(), name: z.string(), type: AssetType, serial: z.string() }),
    account: z.object({ email: z.string(), team_name: z.string() }),
    /** Null: it has no credentials yet, or its asset is a SIM alone. */
    device: z.nullable(Device),
  }),
  problems: [notFound],
})
