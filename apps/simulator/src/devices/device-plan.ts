import * as z from 'zod/mini'

const Device = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string(),
  kind: z.enum(['core', 'agent']),
  name: z.string(),
  iccid: z.optional(z.string()),
  imei: z.optional(z.string()),
  /** How full its disk was at a time, and how much it fills up a day, in percent of it. Left out: it is made up. */
  disk: z.optional(z.object({ used_pct: z.number(), a_day: z.number(), at: z.string() })),
  /** It loses its connection now and then, for a while. */
  flaky: z._default(z.boolean(), false),
  /** A container that it cannot run with an image of this tag, and what its engine says of it. */
  fails: z.optional(z.object({ container: z.string(), tag: z.string(), words: z.string() })),
})
export type PlannedDevice = z.output<typeof Device>

/** All that simulated devices are given: where the broker is, and what they sign in with. */
export const DevicePlan = z.object({
  seed: z.int(),
  /** How often one checks what changed, seconds. */
  every: z._default(z.number().check(z.minimum(0.05)), 10),
  /** Where agents ask what they are to run; `name`: by which it is asked, where not by its address. */
  server: z.optional(z.object({ host: z.string(), port: z.int(), path: z.string(), name: z.nullable(z.string()) })),
  broker: z.object({ host: z.string(), port: z.int().check(z.minimum(1), z.maximum(65_535)) }),
  devices: z.array(Device),
})
export type DevicePlan = z.output<typeof DevicePlan>
