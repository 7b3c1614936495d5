import * as z from 'zod/mini'
import { LimitPeriod } from '../assets/sim.ts'
import { Bytes, Name, Time } from '../kernel/fields.ts'
import { Technology } from '../networks/network.ts'

/** The group of each SIM that nobody put into another one. It is on every account, and has this id there. */
export const defaultGroup = 'default'
/** How many groups of its own an account can have. */
export const mostNetworkGroups = 200
/** What a limit may be: 1 MB to 2 TB. */
export const leastLimit = 1_000_000
export const mostLimit = 2_000_000_000_000

const mostNetworks = 2000
const Country = z.string().check(z.regex(/^[A-Z]{2}$/, 'A country is two capital letters, like DE'))
const MccMnc = z.string().check(z.regex(/^\d{3}-\d{2,3}$/, 'A network is its MCC-MNC, like 262-01'))

/** `block`: a SIM that reaches its limit has no service until the period ends. `alert`: it goes on, and you are notified. */
export const OnLimit = z.enum(['block', 'alert'])
export type OnLimit = z.output<typeof OnLimit>

const rules = {
  /** Null: everywhere. Else SIMs may be in these countries, and on `networks` besides. */
  countries: z.nullable(z.array(Country).check(z.maxLength(300))),
  /** Single networks that are allowed where their country as a whole is not. */
  networks: z.array(MccMnc).check(z.maxLength(mostNetworks)),
  /** Null: all. */
  rats: z.nullable(z.array(Technology).check(z.minLength(1, 'Choose a technology, or allow all'), z.maxLength(6))),
  /** The APN that devices are to use. */
  apn: z.nullable(
    z.string().check(
      z.trim(),
      z.minLength(1, 'Enter an APN, or none'),
      z.maxLength(100, 'An APN has at most 100 characters'),
      // 3GPP TS 23.003 §9.1
      z.regex(
        /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/,
        'An APN has letters, digits, dashes and dots'
      )
    )
  ),
  /** SIMs of the group are locked to the first device they are seen in, where they have no lock of their own. */
  imei_lock: z.boolean(),
}

export const NetworkGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** Built-in ones cannot be changed or deleted, the default one cannot be deleted. */
  kind: z.enum(['default', 'built_in', 'own']),
  /** Of each SIM by itself; null: none. A SIM's own limit wins over it. */
  limit_bytes: z.nullable(Bytes),
  limit_period: LimitPeriod,
  on_limit: OnLimit,
  ...rules,
  sims: z.int(),
  /** Of those, how many have used up the group's limit in this period. */
  sims_at_limit: z.int(),
  created_at: Time,
  updated_at: Time,
  updated_by: z.nullable(z.string()),
})
export type NetworkGroup = z.output<typeof NetworkGroup>

/** What can be said of a group. */
export const GroupFields = z.object({
  name: z.optional(Name),
  limit_bytes: z.optional(
    z.nullable(z.int().check(z.minimum(leastLimit, 'A limit is 1 MB at least'), z.maximum(mostLimit, 'A limit is 2 TB at most')))
  ),
  limit_period: z.optional(LimitPeriod),
  on_limit: z.optional(OnLimit),
  countries: z.optional(rules.countries),
  networks: z.optional(rules.networks),
  rats: z.optional(rules.rats),
  apn: z.optional(rules.apn),
  imei_lock: z.optional(rules.imei_lock),
})
export type GroupFields = z.output<typeof GroupFields>

/** SIMs with an open session on a network now. `mccmnc` null: their gateways do not say. */
export const AttachedSims = z.object({ mccmnc: z.nullable(z.string()), rat: z.nullable(z.string()), sims: z.int() })
export type AttachedSims = z.output<typeof AttachedSims>

/** What a change of a group would do now. */
export const GroupPreview = z.object({
  sims: z.int(),
  attached: z.int(),
  /** On a network or technology that would not be allowed any more: they are cut. */
  cut: z.int(),
  /** Of those, where no operator of the country would be allowed. */
  stranded: z.int(),
  stranded_countries: z.array(z.string()),
  /** How many SIMs would be blocked, as they have used that much already, and how many would not be blocked for their data limit any more. */
  blocked: z.int(),
  freed: z.int(),
  /** How many SIMs would be blocked, as they are used in a device that is not accepted, and how many would not be for theirs any more. */
  wrong_device: z.int(),
  device_freed: z.int(),
})
export type GroupPreview = z.output<typeof GroupPreview>
