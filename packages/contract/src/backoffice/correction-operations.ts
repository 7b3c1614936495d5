import * as z from 'zod/mini'
import { assetHasNoSim } from '../assets/problems.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Correction, CorrectionPreview, Day, mostAdded } from '../usage/correction.ts'
import { correctionUndone, dayNotCorrectable, nothingCounted, ownAccount, staffMayMore, usageBelowZero } from './problems.ts'
import { Reason } from './reason.ts'

const added = [
  z.minimum(-Number.MAX_SAFE_INTEGER, 'Subtract at most 9 PB at once'),
  z.maximum(mostAdded, 'Add at most 21.6 TB at once, because a link carries no more in a day'),
] as const

/** What is corrected: a day of the SIM in use, in UTC. */
const Corrected = z.object({
  day: Day,
  /** Of a network alone; without it the hours and networks with the most are corrected first. */
  mccmnc: z.optional(z.string().check(z.regex(/^\d{3}-\d{2,3}$/, 'A network is its MCC-MNC, like 262-01'))),
  rat: z.optional(z.string().check(z.maxLength(20))),
})

export const listCorrections = operation({
  name: 'backoffice.listCorrections',
  method: 'GET',
  path: '/backoffice/assets/{any_asset_id}/corrections',
  summary: 'What staff corrected of the usage of an asset, the latest first',
  access: 'backoffice',
  query: PageQuery,
  reply: page(Correction),
  problems: [notFound],
})

export const getCorrectionPreview = operation({
  name: 'backoffice.getCorrectionPreview',
  method: 'GET',
  path: '/backoffice/assets/{any_asset_id}/corrections/preview',
  summary: 'What a correction of usage would do',
  access: 'manage_usage',
  query: z.extend(Corrected, {
    bytes_up: z._default(z.coerce.number().check(z.int(), ...added), 0),
    bytes_down: z._default(z.coerce.number().check(z.int(), ...added), 0),
  }),
  reply: CorrectionPreview,
  problems: [notFound, assetHasNoSim],
})

/** Totals of the SIM, of the account and of the limit move at once; sessions keep their counters. The customer sees it. */
export const correctUsage = operation({
  name: 'backoffice.correctUsage',
  method: 'POST',
  path: '/backoffice/assets/{any_asset_id}/corrections',
  summary: 'Correct what the SIM of an asset used on a day',
  access: 'manage_usage',
  body: z.extend(Corrected, {
    /** Bytes added to the day; below zero they are taken away. */
    bytes_up: z.int({ error: 'Enter whole bytes' }).check(...added),
    bytes_down: z.int({ error: 'Enter whole bytes' }).check(...added),
    reason: Reason,
  }),
  reply: Correction,
  problems: [notFound, assetHasNoSim, ownAccount, staffMayMore, nothingCounted, dayNotCorrectable, usageBelowZero],
})

/** By another correction, which names the first. */
export const undoCorrection = operation({
  name: 'backoffice.undoCorrection',
  method: 'POST',
  path: '/backoffice/assets/{any_asset_id}/corrections/{correction_id}/undo',
  summary: 'Undo a correction of usage',
  access: 'manage_usage',
  body: z.object({ reason: Reason }),
  reply: Correction,
  problems: [notFound, assetHasNoSim, ownAccount, staffMayMore, correctionUndone, usageBelowZero],
})
