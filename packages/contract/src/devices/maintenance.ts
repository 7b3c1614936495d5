import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'

export const services = ['manager', 'agent'] as const
export type Updatable = (typeof services)[number]

/** A CORE device of today does nothing on a restart alone; an update restarts, too. */
export const MaintenanceBody = z.strictObject({
  update: z.array(z.enum(services)).check(z.minLength(1, 'Choose what to update'), z.maxLength(2)),
  beta: z._default(z.boolean(), false),
})

/** What a device says of an update, and what is shown of all else that one says. */
const updateStatuses = ['download_manager', 'download_agent', 'restart_manager', 'restart_agent'] as const
const UpdateStatus = z.enum([...updateStatuses, 'unknown'])
export type UpdateStatus = z.output<typeof UpdateStatus>
export const updateStatusOf = (said: unknown): UpdateStatus => updateStatuses.find((each) => each === said) ?? 'unknown'

export const Maintenance = z.object({
  services: z.array(z.enum(services)),
  beta: z.boolean(),
  by: z.string(),
  requested_at: Time,
  /** Versions before it. */
  versions: z.record(z.string(), z.nullable(z.string())),
  /** What the device said last. */
  status: z.nullable(UpdateStatus),
  status_at: z.nullable(Time),
})
export type Maintenance = z.output<typeof Maintenance>

/** An update that brought no other version after so long has stalled, ms. */
export const stallsAfter = 900_000

/** So long a command waits for a device that is offline, ms. A device that said nothing of an update by then is not asked again. */
export const commandWaits = 86_400_000

/**
 * `waiting`: it was not asked yet, or did not answer. `unanswered`: nor will it, because the command has gone: after a day, or with the credentials
 * that the device had. `unclear`: what it says of it is not known here. `done`: every service has another version than before.
 */
export type MaintenanceState = 'waiting' | 'unanswered' | 'downloading' | 'restarting' | 'unclear' | 'done' | 'stalled'

export function maintenanceState(maintenance: Maintenance, system: Record<string, unknown>, now: number): MaintenanceState {
  const changed = (service: Updatable) => {
    const version = system[`${service}_version`]
    return typeof version === 'string' && version !== maintenance.versions[service]
  }
  if (maintenance.services.every(changed)) return 'done'
  if (!maintenance.status) return now - Date.parse(maintenance.requested_at) > commandWaits ? 'unanswered' : 'waiting'
  if (now - Date.parse(maintenance.status_at ?? maintenance.requested_at) > stallsAfter) return 'stalled'
  if (maintenance.status === 'unknown') return 'unclear'
  return maintenance.status.startsWith('download') ? 'downloading' : 'restarting'
}
