import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { ReportedNetwork } from './reported.ts'
import { Apn, ApnPassword, ApnUser, InterfaceName, mostInterfaces, SimPin, Ssid, WifiPassword, WifiSecurity } from './settings.ts'

/** What is wanted of a device's network; null: it is left as the device has it. Passwords and PINs are never shown. */
export const WantedNetwork = z.object({
  generation: z.int(),
  priority: z.nullable(z.array(z.string())),
  apn: z.nullable(z.object({ name: z.string(), user: z.nullable(z.string()), has_password: z.boolean() })),
  /** Networks that were set from here. */
  wifi: z.array(z.object({ ssid: z.string(), security: WifiSecurity, hidden: z.boolean() })),
  /** The profile of the eSIM that is to be in use, and the latest thing to do with its profiles. */
  profile: z.nullable(z.string()),
  esim_job: z.nullable(z.object({ generation: z.int(), do: z.enum(['add', 'delete']), iccid: z.nullable(z.string()) })),
  /** The generation of the PIN that is set. */
  pin_generation: z.nullable(z.int()),
  changed_at: Time,
  changed_by: z.string(),
  /** The device asked for it then; null: it did not yet. */
  sent_at: z.nullable(Time),
})
export type WantedNetwork = z.output<typeof WantedNetwork>

/** What is wanted, and beside it what the device reported last; null: nothing of it. */
export const Network = z.object({
  /** Null: no agent was set up for this asset. */
  device: z.nullable(z.object({ id: z.string(), online: z.boolean(), since: z.nullable(Time) })),
  wanted: z.nullable(WantedNetwork),
  reported: z.nullable(ReportedNetwork),
})
export type Network = z.output<typeof Network>

/** Null: the device keeps its own order. */
export const NetworkPriorityBody = z.object({
  interfaces: z.nullable(
    z.array(InterfaceName).check(
      z.minLength(1, 'Name at least one interface'),
      z.maxLength(mostInterfaces, `Name at most ${mostInterfaces} interfaces`),
      z.refine((all) => new Set(all).size === all.length, 'Name each interface once')
    )
  ),
})
export type NetworkPriorityBody = z.output<typeof NetworkPriorityBody>

/**
 * What is left out stays. A null APN leaves the connection as the device has it; a null user, password or PIN removes that one. Another APN begins
 * without user and password.
 */
export const SimAccessBody = z
  .object({
    apn: z.optional(z.nullable(Apn)),
    user: z.optional(z.nullable(ApnUser)),
    password: z.optional(z.nullable(ApnPassword)),
    pin: z.optional(z.nullable(SimPin)),
  })
  .check(z.refine((body) => Object.values(body).some((value) => value !== undefined), 'Change at least one of them'))
export type SimAccessBody = z.output<typeof SimAccessBody>

/** A network that is set already gets these settings; without a password it keeps the one that it has. */
export const ConnectWifiBody = z
  .object({
    ssid: Ssid,
    security: z._default(WifiSecurity, 'wpa2'),
    /** The network is hidden. */
    hidden: z._default(z.boolean(), false),
    password: z.optional(WifiPassword),
  })
  .check(
    z.refine(({ security, password }) => security !== 'open' || password === undefined, {
      message: 'An open network has no password',
      path: ['password'],
    })
  )
export type ConnectWifiBody = z.output<typeof ConnectWifiBody>

/** The generation of a device of which no setting was ever wanted, but something was to be done with its eSIM. */
export const neverSet = 0

/** `pending`: the device does not know yet; `sent`: it asked for it and has not said what became of it. */
export type NetworkState = 'none' | 'pending' | 'sent' | 'applying' | 'trial' | 'applied' | 'undone' | 'failed'

/** How a device stands to what is wanted of its network, by its own words alone. */
export function networkState({ wanted, reported }: Pick<Network, 'wanted' | 'reported'>): NetworkState {
  if (!wanted || wanted.generation === neverSet) return 'none'
  const change = reported?.change
  if (change?.generation === wanted.generation) return change.state === 'kept' ? 'applied' : change.state
  return wanted.sent_at ? 'sent' : 'pending'
}

/** A change of the network that the device is at; the next one waits for it. */
export const isChanging = (network: Pick<Network, 'wanted' | 'reported'>): boolean =>
  network.reported?.change?.state === 'applying' || network.reported?.change?.state === 'trial'

/** Interfaces as the device uses them: by their metrics, those without one last. */
export const inOrder = <Item extends { name: string; metric: number | null }>(interfaces: readonly Item[]): Item[] =>
  interfaces.toSorted((one, other) => (one.metric ?? Infinity) - (other.metric ?? Infinity) || (one.name < other.name ? -1 : 1))

/** What is to be done with the profiles of an eSIM and the device has not begun, as far as it said. */
export const esimNotBegun = ({ wanted, reported }: Pick<Network, 'wanted' | 'reported'>): boolean =>
  wanted?.esim_job != null && reported?.esim?.job?.generation !== wanted.esim_job.generation

/** What is to be done with the profiles of an eSIM and is not done yet, as far as the device said. */
export const esimWaits = (network: Pick<Network, 'wanted' | 'reported'>): boolean =>
  esimNotBegun(network) || (network.wanted?.esim_job != null && network.reported?.esim?.job?.state === 'running')

/** A device that is away for so long may never come back. */
const awayFor = 3_600_000 // ms

/** What waits for an eSIM and may be withdrawn: the device has not begun it, or has, and is away for an hour. Else it would hold up the next for ever. */
export const esimMayWithdraw = (network: Network, now: Date): boolean => {
  const { online = false, since = null } = network.device ?? {}
  const isAway = !online && since !== null && now.getTime() - Date.parse(since) >= awayFor
  return esimNotBegun(network) || (isAway && esimWaits(network))
}
