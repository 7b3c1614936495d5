import * as z from 'zod/mini'
import { Stay } from '../assets/place-operations.ts'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { ReportedState, Vitals } from './agent/messages.ts'
import { needsBoth, needsDevice, needsOurType } from './agent/problems.ts'
import { Modem } from './network/reported.ts'

export const getDeviceStatus = operation({
  name: 'devices.getDeviceStatus',
  method: 'GET',
  path: '/assets/{asset_id}/alpon',
  summary: 'Whether a device is online, which versions run on it, and whether it is as wanted',
  access: 'assets.view',
  reply: z.object({
    /** `never`: it was never connected. */
    presence: z.enum(['never', 'online', 'offline']),
    since: z.nullable(Time),
    last_seen_at: z.nullable(Time),
    reported_at: z.nullable(Time),
    /** What is wanted, and what the device works at. */
    revision: z.int(),
    reported_revision: z.int(),
    agent_version: z.nullable(z.string()),
    engine: z.nullable(z.string()),
    architecture: z.nullable(z.string()),
    containers: z.object({ wanted: z.int(), as_wanted: z.int(), in_trouble: z.int() }),
  }),
  problems: needsDevice,
})

/** What is null the device did not say. */
export const getMeasurements = operation({
  name: 'devices.getMeasurements',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/device',
  summary: 'What a device measured last (processor, memory, disk, temperature), and what it is',
  access: 'assets.view',
  reply: z.object({
    vitals: z.nullable(Vitals),
    versions: z.nullable(ReportedState.shape.versions),
    host: z.nullable(ReportedState.shape.host),
    booted_at: z.nullable(Time),
  }),
  problems: needsDevice,
})

export const getModem = operation({
  name: 'devices.getModem',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/modem',
  summary: 'The modem of a device as it reported it last, with its network and signal; null where there is none, and why',
  access: 'assets.view',
  reply: z.object({ modem: z.nullable(Modem), words: z.nullable(z.string()), reported_at: z.nullable(Time) }),
  problems: needsDevice,
})

export const getLocation = operation({
  name: 'devices.getLocation',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/location',
  summary: 'The network and the cell that a device was in last, within 30 days; null where no network reported it',
  access: 'assets.view',
  reply: z.object({ location: z.nullable(Stay) }),
  problems: needsOurType,
})

/** Seconds that a stream stays open at most. */
export const longestProgress = 900
const wait = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(longestProgress)), 0)

/**
 * Server-sent events, each a `ContainerProgress` (progress.ts): how it is, and each change of that, until `Success` or `Fail`. Where neither has come after `wait`
 * seconds the last one is `Fail`, and whether it is the device that cannot be reached.
 */
export const getContainerProgress = operation({
  name: 'devices.getContainerProgress',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/containers/{name}/progress',
  summary: 'How far a device is with a container that was deployed or updated, as server-sent events until it runs or has failed',
  access: 'assets.view',
  query: z.object({
    /** How many seconds to stay open; 0: how it is now. */
    wait,
  }),
  gives: 'events',
  problems: [...needsBoth, tooManyRequests],
})

/** The same of what is to be done with the profiles of an eSIM, and of a switch to another: each an `EsimProgressEvent`. */
export const getEsimProgress = operation({
  name: 'devices.getEsimProgress',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/esim/progress',
  summary:
    'How far a device is with a profile of its eSIM that was added, switched to or deleted, as server-sent events until it is done or has failed',
  access: 'assets.view',
  query: z.object({ wait }),
  gives: 'events',
  problems: [...needsDevice, tooManyRequests],
})
