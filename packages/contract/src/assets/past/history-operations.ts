import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { notFound } from '../../kernel/problem.ts'
import { Network } from '../../networks/network.ts'
import { BlockCode, SimState } from '../sim.ts'

/** How far back the service of a SIM is known. */
export const serviceDays = 30

/** What was held against a SIM for a time. */
const PastBlock = z.object({
  code: BlockCode,
  /** When it was put on; null: before what is kept. */
  since: z.nullable(Time),
  words: z.nullable(z.string()),
  /** It was put on and is not there now, but when it was lifted is not kept: from its first moment on it may have been lifted. */
  unsure: z.boolean(),
})
export type PastBlock = z.output<typeof PastBlock>

/** A time in which nothing changed of what a SIM may do. */
const ServiceSpan = z.object({
  from: Time,
  until: Time,
  /** Null: not kept. */
  state: z.nullable(SimState),
  state_since: z.nullable(Time),
  state_by: z.nullable(z.string()),
  blocks: z.array(PastBlock),
})
export type ServiceSpan = z.output<typeof ServiceSpan>

const PastSession = z.object({
  from: Time,
  /** Null: it goes on. */
  until: z.nullable(Time),
  network: z.nullable(Network),
  rat: z.nullable(z.string()),
  imei: z.nullable(z.string()),
})

/** Access-Requests of an hour that were rejected for one reason. */
const Refusal = z.object({
  first_at: Time,
  last_at: Time,
  count: z.int(),
  words: z.nullable(z.string()),
  network: z.nullable(Network),
})

/** That a SIM was rejected in this hour or the one before, and not accepted since, for a reason that still stands. */
const RefusedNow = z.object({
  /** `group`: its network group does not allow where it is; `pool`: none of its pools has data there; `balance`: nor are credits left; `price`: nor does its account allow what data costs there; `network`: the operator's system said no; `held`: by its state or a block. */
  by: z.enum(['group', 'pool', 'balance', 'price', 'network', 'held']),
  /** Of all networks that it tried. */
  count: z.int(),
  last_at: Time,
  words: z.nullable(z.string()),
  /** Of `pool`: the one that its words name. Null for whoever may not see data pools. */
  pool_id: z.nullable(z.string()),
})
export type RefusedNow = z.output<typeof RefusedNow>

export const ServiceHistory = z.object({
  /** From when on it is known, and why not from before. */
  from: Time,
  until: Time,
  begins: z.enum(['days', 'registered', 'swapped', 'kept']),
  /** One after the other, without gaps. */
  spans: z.array(ServiceSpan),
  /** What else was changed, in words. */
  marks: z.array(z.object({ at: Time, words: z.string() })),
  /** Sessions and refusals, oldest first: since then, what the network did is listed in full. */
  network_from: Time,
  sessions: z.array(PastSession),
  refusals: z.array(Refusal),
  /** How it is refused now; null: it is not, or nothing asked for access. */
  refused: z.nullable(RefusedNow),
})
export type ServiceHistory = z.output<typeof ServiceHistory>

export const getServiceHistory = operation({
  name: 'assets.getServiceHistory',
  method: 'GET',
  path: '/assets/{asset_id}/service',
  summary: 'What allowed or refused service of an asset’s SIM over the last 30 days, from what was recorded; where nothing was, it says so',
  access: 'assets.view',
  reply: ServiceHistory,
  problems: [notFound],
})
