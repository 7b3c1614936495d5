import * as z from 'zod/mini'
import { Email } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, tooManyRequests } from '../kernel/problem.ts'
import { Asset } from './asset.ts'
import { Imei, ImeiLock, mostImeis } from './device.ts'
import { mostLimit, mostRaise } from './month-limit.ts'
import {
  assetAlreadyYours,
  assetHasNoSim,
  assetReserved,
  assetTaken,
  assetUnknown,
  deviceNotSeen,
  raiseTooLow,
  releaseInUse,
  simActionNotPossible,
  simHasNoLimit,
  swapNeedsSim,
  tooManyDevices,
} from './problems.ts'
import { LimitPeriod, Sim } from './sim.ts'

const ofSim = [notFound, assetHasNoSim] as const
const action = { method: 'POST', access: 'assets.edit', reply: Asset, problems: [...ofSim, simActionNotPossible] } as const

export const getSim = operation({
  name: 'assets.getSim',
  method: 'GET',
  path: '/assets/{asset_id}/sim',
  summary: 'The SIM of an asset',
  access: 'assets.view',
  reply: Sim,
  problems: [...ofSim],
})

export const standbySim = operation({
  ...action,
  name: 'assets.standbySim',
  path: '/assets/{asset_id}/sim/standby',
  summary: 'Put the SIM of an asset on standby: it is active again when it connects',
})

export const readySim = operation({
  ...action,
  name: 'assets.readySim',
  path: '/assets/{asset_id}/sim/ready',
  summary: 'Set a SIM that was never active to ready, which is free',
})

const Typed = z.string().check(z.trim(), z.maxLength(64))

export const terminateSim = operation({
  ...action,
  name: 'assets.terminateSim',
  path: '/assets/{asset_id}/sim/terminate',
  summary: 'Terminate the SIM of an asset for ever',
  /** Its whole ICCID, typed by whoever is sure. */
  body: z.object({ iccid: Typed }),
})

export const resetSim = operation({
  name: 'assets.resetSim',
  method: 'POST',
  path: '/assets/{asset_id}/sim/reset',
  summary: 'Cut the open sessions of an asset, so that its device attaches anew',
  access: 'assets.edit',
  reply: z.object({
    /** How many sessions the gateways are asked to end. */
    sessions: z.int(),
    /** What happens now, or why nothing does. */
    words: z.string(),
  }),
  problems: [...ofSim],
})

const LimitBytes = z.int().check(z.minimum(1_000_000, 'A limit is at least 1 MB'), z.maximum(mostLimit, 'A limit is at most 2 TB'))
const RaisedBytes = z
  .int()
  .check(z.minimum(1_000_000, 'A limit is at least 1 MB'), z.maximum(mostRaise, 'A limit can be raised to 1,000 TB at most'))

export const setSimLimit = operation({
  name: 'assets.setSimLimit',
  method: 'PUT',
  path: '/assets/{asset_id}/sim/limit',
  summary: 'Give the SIM of an asset a data limit of its own, or take that away',
  access: 'assets.edit',
  body: z.object({
    /** Null: no limit of its own; that of its group applies. */
    bytes: z.nullable(LimitBytes),
    period: z._default(LimitPeriod, 'month'),
  }),
  reply: Asset,
  problems: [...ofSim],
})

export const raiseSimLimit = operation({
  name: 'assets.raiseSimLimit',
  method: 'POST',
  path: '/assets/{asset_id}/sim/limit/raise',
  summary: 'Raise the limit of a SIM for the period that runs, and no other',
  access: 'assets.edit',
  /** What the limit allows in all, in this period. */
  body: z.object({ bytes: RaisedBytes }),
  reply: Asset,
  problems: [...ofSim, simHasNoLimit, raiseTooLow],
})

export const setImeiLock = operation({
  name: 'assets.setImeiLock',
  method: 'PUT',
  path: '/assets/{asset_id}/sim/imei-lock',
  summary: 'Say which devices a SIM may be used in',
  access: 'assets.edit',
  body: z.object({
    /** Null: as its group says. */
    mode: z.nullable(ImeiLock),
    /** The accepted devices. Left out: as they are. */
    imeis: z.optional(z.array(Imei).check(z.maxLength(mostImeis, `At most ${mostImeis} devices`))),
  }),
  reply: Asset,
  problems: [...ofSim],
})

export const acceptDevice = operation({
  name: 'assets.acceptDevice',
  method: 'POST',
  path: '/assets/{asset_id}/sim/imei-lock/accept',
  summary: 'Accept the device that a SIM was seen in last',
  access: 'assets.edit',
  body: z.object({
    /** No other device is accepted any more, and the SIM is locked to this one. */
    alone: z._default(z.boolean(), false),
    /** The `imei` of the SIM as it was read: where the SIM was seen in another device since, nothing is accepted. */
    imei: z.optional(z.string().check(z.maxLength(20))),
  }),
  reply: Asset,
  problems: [...ofSim, deviceNotSeen, tooManyDevices],
})

export const askStaff = operation({
  name: 'assets.askStaff',
  method: 'POST',
  path: '/assets/{asset_id}/ask-staff',
  summary: 'Ask support staff about an asset; what they need to know is added',
  access: 'assets.edit',
  body: z.object({
    message: z.string().check(z.trim(), z.minLength(1, 'Say what you need'), z.maxLength(2000, 'Use at most 2,000 characters')),
  }),
  problems: [notFound, tooManyRequests],
})

export const swapSim = operation({
  name: 'assets.swapSim',
  method: 'POST',
  path: '/assets/{asset_id}/sim/swap',
  summary: 'Put another SIM into an asset; its history stays',
  access: 'assets.edit',
  body: z.object({
    /** The ICCID or serial number of a SIM that your account can register. */
    token: z.string().check(z.trim(), z.minLength(3, 'Enter an ICCID or a serial number'), z.maxLength(64)),
    /** What becomes of the SIM before: it stays with the asset, inactive or terminated for ever. */
    before: z._default(z.enum(['deactivate', 'terminate']), 'deactivate'),
  }),
  reply: Asset,
  problems: [...ofSim, assetUnknown, assetAlreadyYours, assetTaken, assetReserved, swapNeedsSim],
})

export const releaseAsset = operation({
  name: 'assets.releaseAsset',
  method: 'POST',
  path: '/assets/{asset_id}/release',
  summary: 'Give an asset back to stock, or hand it over to another account',
  access: 'assets.register',
  body: z.object({
    /** The account that may register it from then on, by the e-mail address of its owner. Null: it goes back to stock, for staff to decide. */
    to: z.nullable(Email),
    /** The serial number, typed by whoever is sure. */
    serial: Typed,
  }),
  problems: [notFound, releaseInUse, simActionNotPossible],
})
