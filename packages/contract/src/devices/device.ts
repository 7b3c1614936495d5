import * as z from 'zod/mini'
import { idKind } from '../kernel/id.ts'

export const deviceId = idKind('dev')

/** `core`: an existing CORE device with its own agent. `agent`: the edge agent of this project. */
export const deviceKinds = ['core', 'agent'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** `never`: it was never connected. */
export const DevicePresence = z.enum(['never', 'online', 'offline'])
export type DevicePresence = z.infer<typeof DevicePresence>

/** What a device said of itself: sections of keys, each as it was said last. */
export type Reported = Record<string, Record<string, unknown>>
