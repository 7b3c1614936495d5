import { ratTypes } from '@masthead/radius/words'
import * as z from 'zod/mini'

const Port = z.int().check(z.minimum(1), z.maximum(65535))
const Digits = (least: number, most: number) => z.string().check(z.regex(new RegExp(`^\\d{${least},${most}}$`)))
/** A network as `262-01`: MCC and MNC. */
const Mccmnc = z.string().check(z.regex(/^\d{3}-\d{2,3}$/))
const Rat = z.enum(Object.values(ratTypes))

const Gateway = z.object({
  /** Its NAS-Identifier. */
  name: z.string().check(z.minLength(1), z.maxLength(253)),
  /** The local address it sends from: on Linux any of 127.0.0.0/8 will do. */
  address: z.union([z.ipv4(), z.ipv6()]),
  secret: z.string().check(z.minLength(1)),
  /** Where it takes Disconnect- and CoA-Requests; left out, it takes none. */
  coa_port: z.optional(Port),
  /** The visited networks whose traffic it carries, for SIMs that name no gateway. */
  networks: z._default(z.array(Mccmnc), []),
})

const Sim = z.object({
  imsi: Digits(6, 15),
  msisdn: Digits(5, 15),
  imei: Digits(14, 16),
  iccid: z.optional(Digits(18, 20)),
  pattern: z.enum(['tracker', 'meter', 'camera', 'router', 'runaway', 'silent', 'standby']),
  home: Mccmnc,
  /** The networks it visits, in turn; it begins at the first. */
  route: z.array(z.object({ mccmnc: Mccmnc, rat: Rat })).check(z.minLength(1)),
  apn: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Bytes of an ordinary day; left out, what is usual for the pattern. */
  daily_bytes: z.optional(z.number().check(z.nonnegative())),
  gateway: z.optional(z.string()),
})

/** All that the simulated network is given. The rest it learns over RADIUS. */
export const NetworkPlan = z.object({
  seed: z.int(),
  /** Simulated seconds per second: 1 is real time, 10 shows a day in under two and a half hours. */
  speed: z._default(z.number().check(z.minimum(0.1), z.maximum(10_000)), 10),
  server: z.object({ host: z.string(), auth_port: Port, acct_port: Port }),
  /** Whether gateways say Accounting-On when they start and Accounting-Off when they stop. */
  announce: z._default(z.boolean(), true),
  gateways: z.array(Gateway).check(z.minLength(1)),
  sims: z.array(Sim),
})

export type NetworkPlan = z.output<typeof NetworkPlan>
export type GatewayPlan = z.output<typeof Gateway>
export type SimPlan = z.output<typeof Sim>
export type PatternName = SimPlan['pattern']
