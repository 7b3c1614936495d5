import * as z from 'zod/mini'
import { idKind } from '../kernel/id.ts'
import { Time } from '../kernel/fields.ts'
import { ConfigRequest } from './config.ts'
import { deviceKinds } from './device-kind.ts'
import { Maintenance } from './maintenance.ts'

export const deviceId = idKind('dev')

/** What a device said of itself: sections of keys, each as it was said last. */
export type Reported = Record<string, Record<string, unknown>>

export const Device = z.object({
  id: z.string(),
  kind: z.enum(deviceKinds),
  created_at: Time,
  /** `never`: it was never connected. */
  presence: z.enum(['never', 'online', 'offline']),
  since: z.nullable(Time),
  last_seen_at: z.nullable(Time),
  last_ip: z.nullable(z.string()),
  /** Since when it is refused. */
  cut_at: z.nullable(Time),
  /** Without logs: what containers and the agent printed has calls of its own. */
  reported: z.record(z.string(), z.record(z.string(), z.unknown())),
  reported_at: z.nullable(Time),
  /** What its configuration is to be, key by key. */
  desired: z.record(z.string(), z.unknown()),
  /** The latest changes of its configuration, the newest first. */
  configs: z.array(ConfigRequest),
  maintenance: z.nullable(Maintenance),
})
export type Device = z.output<typeof Device>
