import type { WifiNetwork } from '@masthead/contract/devices/network/reported'
import type { Network } from '@masthead/contract/devices/network/view'

export type WifiRow = WifiNetwork & {
  /** It is set from here. */
  wanted: boolean
  /** Why it cannot be connected from here. */
  refused: string | null
}

const securityWords = {
  open: 'open',
  wpa2: 'WPA2',
  wpa3: 'WPA3',
  enterprise: 'Enterprise sign-in',
  other: 'an old kind of security',
} as const

/** What is wanted, and what the device reports: a network that is wanted and not reported is out of reach, or the device has not said. */
export function wifiRows({ wanted, reported }: Pick<Network, 'wanted' | 'reported'>): WifiRow[] {
  const seen = reported?.wifi?.networks ?? []
  const set = wanted?.wifi ?? []
  const away = set.filter(({ ssid }) => !seen.some((each) => each.ssid === ssid))
  return [
    ...seen.map((each) => ({
      ...each,
      wanted: set.some(({ ssid }) => ssid === each.ssid),
      refused:
        each.security === 'enterprise' || each.security === 'other'
          ? `${capital(securityWords[each.security])} cannot be set from here`
          : null,
    })),
    ...away.map(({ ssid, security }) => ({ ssid, security, signal_pct: null, in_use: false, own: false, wanted: true, refused: null })),
  ]
}

const capital = (words: string) => words[0]!.toUpperCase() + words.slice(1)

export const wifiNote = ({ security, signal_pct, wanted, own }: WifiRow): string =>
  [
    securityWords[security],
    signal_pct === null ? 'not reported in reach' : `signal ${signal_pct} %`,
    ...(wanted ? ['set from here'] : own ? ['set up on the device'] : []),
  ].join(', ')
