import { commandWaits } from '@masthead/contract/devices/maintenance'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Tx } from '../kernel/app.ts'

const directiveId = idKind('dir')

type Directive = { account_id: string; device_id: string; payload: Record<string, unknown>; at: Date; waitsFor?: number }

/** Sends a command to `…/directives` of a device: at once when it is connected, else when it is within `waitsFor` ms. */
export async function sendDirective(tx: Tx, { account_id, device_id, payload, at, waitsFor = commandWaits }: Directive): Promise<void> {
  await tx
    .insertInto('device_directive')
    .values({
      account_id,
      device_id,
      id: newId(directiveId, at.getTime()),
      payload: JSON.stringify(payload),
      created_at: at,
      expires_at: new Date(at.getTime() + waitsFor),
    })
    .execute()
}
