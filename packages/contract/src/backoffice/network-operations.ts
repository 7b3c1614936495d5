import * as z from 'zod/mini'
import { listOf, Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { Technology } from '../networks/network.ts'
import { networksChanged, rateInPast } from './problems.ts'

/** From a day on. Money is whole millionths of a US dollar, for a megabyte of 1,000,000 bytes. */
export const NetworkRate = z.object({
  effective_from: z.iso.date(),
  zone: z.string(),
  cost_micros: z.int(),
  price_micros: z.int(),
  set_by: z.string(),
  set_at: Time,
})

export const Operator = z.object({
  mccmnc: z.string(),
  name: z.string(),
  country: z.string(),
  rats: z.array(z.string()),
  active: z.boolean(),
  notes: z.string(),
  /** What is valid today. */
  rate: z.nullable(NetworkRate),
  /** What is to be valid next. */
  next_rate: z.nullable(NetworkRate),
})
export type Operator = z.output<typeof Operator>

const Day = z.iso.date('Enter a day, like 2026-12-01')
const Money = z.int().check(z.minimum(0, 'Not below zero'), z.maximum(1_000_000_000_000))
const Zone = z.string().check(z.trim(), z.minLength(1, 'Name the zone'), z.maxLength(40))

export const OperatorSort = z.enum(['mccmnc', '-mccmnc', 'name', '-name', 'country', '-country', 'price', '-price'])

export const listOperators = operation({
  name: 'backoffice.listOperators',
  method: 'GET',
  path: '/backoffice/networks',
  summary: 'Mobile networks with what their traffic costs and is sold for',
  access: 'manage_networks',
  query: z.extend(PageQuery, {
    /** In the name, the MCC-MNC, and the zone. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    country: listOf(z.string().check(z.regex(/^[A-Z]{2}$/))),
    rat: listOf(z.string().check(z.maxLength(20))),
    active: z.optional(z.enum(['true', 'false'])),
    priced: z.optional(z.enum(['true', 'false'])),
    sort: z._default(OperatorSort, '-price'),
  }),
  reply: page(Operator),
})

export const updateOperator = operation({
  name: 'backoffice.updateOperator',
  method: 'PATCH',
  path: '/backoffice/networks/{mccmnc}',
  summary: 'Change a network',
  access: 'manage_networks',
  body: z.object({
    name: z.optional(Name),
    rats: z.optional(z.array(Technology).check(z.maxLength(50))),
    active: z.optional(z.boolean()),
    notes: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  }),
  reply: Operator,
  problems: [notFound],
})

/** A rate for the same day is replaced. */
export const setOperatorRate = operation({
  name: 'backoffice.setOperatorRate',
  method: 'POST',
  path: '/backoffice/networks/{mccmnc}/rates',
  summary: 'Plan what the traffic of a network costs and is sold for from a day on',
  access: 'manage_networks',
  body: z.object({
    effective_from: Day,
    zone: Zone,
    cost_micros: Money,
    price_micros: Money,
    /** `set_at` of the newest rate that whoever asks has seen (null: none). With it, what somebody else set since is not overwritten. */
    known_at: z.optional(z.nullable(Time)),
  }),
  reply: Operator,
  problems: [notFound, rateInPast, networksChanged],
})

export const listOperatorRates = operation({
  name: 'backoffice.listOperatorRates',
  method: 'GET',
  path: '/backoffice/networks/{mccmnc}/rates',
  summary: 'Every rate a network had and is to have, newest first',
  access: 'manage_networks',
  reply: z.object({ items: z.array(NetworkRate) }),
  problems: [notFound],
})

const Change = z.object({
  line: z.int(),
  mccmnc: z.string(),
  name: z.string(),
  kind: z.enum(['added', 'changed']),
  fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
})

export const NetworkImport = z.object({
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  applied: z.boolean(),
  /** The first 500. */
  changes: z.array(Change),
  /** Stands for what would change, all of it: give it along with `apply`. */
  basis: z.string(),
  errors: z.array(z.object({ line: z.int(), words: z.string() })),
})
export type NetworkImport = z.output<typeof NetworkImport>

/**
 * A CSV with the columns `mccmnc,name,country,rats,zone,cost,price`: RATs separated by `;`, money in dollars for a megabyte; empty leaves as it
 * is. Unless `apply` says so nothing is written: the answer is what would change, and its `basis` sees to it that just this is taken over. With a wrong line nothing is written either.
 */
export const importNetworks = operation({
  name: 'backoffice.importNetworks',
  method: 'POST',
  path: '/backoffice/networks/import',
  summary: 'Compare a CSV of networks with the present ones, or import it from a day on',
  access: 'manage_networks',
  query: z.object({
    effective_from: Day,
    apply: z.optional(z.enum(['true', 'false'])),
    basis: z.optional(z.string().check(z.maxLength(100))),
  }),
  takes: 'csv',
  reply: NetworkImport,
  problems: [rateInPast, networksChanged],
})
