import type { NetworkInterface, PinReport } from '@masthead/contract/devices/network/reported'
import type { Network } from '@masthead/contract/devices/network/view'
import type { Status } from '../../../ui/status.ts'

export const kindWords = { E: 'Ethernet', W: 'Wi-Fi', C: 'Cellular', X: 'Other' } as const
export const oneAtATime = 'One change at a time: the device has not finished the one before'

/** What is wanted comes first, in its order; what the device has beyond that follows as it has it. */
export const orderOf = (priority: readonly string[] | null, reported: readonly Pick<NetworkInterface, 'name'>[]): string[] => [
  ...(priority ?? []),
  ...reported.map(({ name }) => name).filter((name) => !priority?.includes(name)),
]

/** The same list with one of it at another place. */
export function moved(names: readonly string[], name: string, to: number): string[] {
  const rest = names.filter((each) => each !== name)
  const place = Math.min(rest.length, Math.max(0, to))
  return [...rest.slice(0, place), name, ...rest.slice(place)]
}

/** An interface by what the device said of it. */
export function interfaceState(of: NetworkInterface | undefined, inUse: boolean): { status: Status; label: string; note: string | null } {
  if (!of) return { status: 'never_seen', label: 'Not there now', note: null }
  const note = of.connection
  if (!of.up) return { status: 'offline', label: 'Down', note }
  const use = inUse ? ', in use' : ''
  if (of.internet === 'full') return { status: 'online', label: `Has internet${use}`, note }
  if (of.internet === 'portal') return { status: 'warning', label: `Asks for a sign-in${use}`, note }
  if (of.internet === 'none' || of.internet === 'limited') return { status: 'warning', label: `No internet${use}`, note }
  return { status: 'online', label: `Up${use}`, note }
}

/** What is known of the PIN that is set: no more than the device said of this very one. */
export function pinWords({ wanted, reported }: Pick<Network, 'wanted' | 'reported'>): {
  status: Status
  label: string
  note: string | null
} {
  const lock = reported?.modem?.lock ?? null
  const tries = reported?.modem?.pin_tries ?? null
  const left = tries === null ? null : `${tries} ${tries === 1 ? 'try is' : 'tries are'} left`
  const pin: PinReport | null = reported?.pin ?? null
  if (wanted?.pin_generation != null && pin?.generation === wanted.pin_generation) {
    if (pin.state === 'unlocked') return { status: 'done', label: 'Unlocked with this PIN', note: left }
    if (pin.state === 'not_asked')
      return { status: 'none', label: 'Not asked for', note: 'The SIM is not locked: nobody knows whether the PIN is right' }
    return {
      status: 'failed',
      label: pin.state === 'refused' ? 'The SIM refused this PIN' : 'Not given to the SIM',
      note: [pin.words, left].filter(Boolean).join('. ') || null,
    }
  }
  if (!reported?.modem) return { status: 'none', label: 'No modem reported', note: null }
  if (lock === null) return { status: 'none', label: 'Not locked', note: null }
  return { status: 'warning', label: lock === 'sim-pin' ? 'Asks for its PIN' : `Asks for ${lock}`, note: left }
}
