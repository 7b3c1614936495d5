import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

export const services = ['manager', 'agent'] as const
export type Updatable = (typeof services)[number]

/** A CORE device of today does nothing on a restart alone; an update restarts, too. */
export const MaintenanceBody = z.strictObject({
  update: z.array(z.enum(services)).check(z.minLength(1, 'Choose what to update'), z.maxLength(2)),
  beta: z._default(z.boolean(), false),
})

export const Maintenance = z.object({
  services: z.array(z.enum(services)),
  beta: z.boolean(),
  by: z.string(),
  requested_at: Time,
  /** Versions before it. */
  versions: z.record(z.string(), z.nullable(z.string())),
  /** What the device said last: `download_manager`, `restart_agent`. */
  status: z.nullable(z.string()),
  status_at: z.nullable(Time),
})
export type Maintenance = z.output<typeof Maintenance>

/** An update that brought no other version after so long has stalled, ms. */
export const stallsAfter = 900_000

/** So long a command waits for a device that is offline, ms. A device that said nothing of an update by then is not asked again. */
export const commandWaits = 86_400_000

/**
 * `waiting`: it was not asked yet, or did not answer. `unanswered`: nor will it, because the command has gone: after a day, or with the credentials
 * that the device had. `done`: every service has another version than before.
 */
export type MaintenanceState = 'waiting' | 'unanswered' | 'downloading' | 'restarting' | 'done' | 'stalled'

export function maintenanceState(maintenance: Maintenance, system: Record<string, unknown>, now: number): MaintenanceState {
  const changed = (service: Updatable) => {
    const version = system[`${service}_version`]
    return typeof version === 'string' && version !== maintenance.versions[service]
  }
  if (maintenance.services.every(changed)) return 'done'
  if (!maintenance.status) return now - Date.parse(maintenance.requested_at) > commandWaits ? 'unanswered' : 'waiting'
  if (now - Date.parse(maintenance.status_at ?? maintenance.requested_at) > stallsAfter) return 'stalled'
  return maintenance.status.startsWith('download') ? 'downloading' : 'restarting'
}
