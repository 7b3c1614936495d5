import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'

export const mostNumbers = 10_000

/** The assets behind numbers, as a list that the line of the assets list takes: `list:lst_…`. */
export const FoundNumbers = z.object({
  /** Null where none was found. */
  list: z.nullable(z.string()),
  /** Assets, each once. */
  found: z.int(),
  /** Numbers that named an asset that another one had named. */
  repeated: z.int(),
  /** `line`: the place in what was given, from 1. Why it names no asset, in words. */
  unknown: z.array(z.object({ line: z.int(), number: z.string(), words: z.string() })),
  expires_at: z.nullable(Time),
})
export type FoundNumbers = z.output<typeof FoundNumbers>

export const findNumbers = operation({
  name: 'assets.findNumbers',
  method: 'POST',
  path: '/assets/find',
  summary: 'Find assets by many numbers',
  access: 'assets.view',
  body: z.object({
    /** ICCIDs, IMSIs, phone numbers, IMEIs, EIDs, serial numbers or ids. */
    numbers: z
      .array(z.string().check(z.trim(), z.minLength(1, 'A number is empty'), z.maxLength(64, 'A number is longer than 64 characters')))
      .check(
        z.minLength(1, 'Give at least one number'),
        z.maxLength(mostNumbers, `Give at most ${mostNumbers.toLocaleString('en')} numbers`)
      ),
  }),
  reply: FoundNumbers,
})
