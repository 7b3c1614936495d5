import { countryOf } from '../networks/countries.ts'
import { type Technology, technologies, technologyOf } from '../networks/network.ts'

/** What the SIMs of a group may use. `countries` null: they may be everywhere; else there, and on `networks` besides. `rats` null: by all technologies. */
export type NetworkRules = {
  name: string
  countries: readonly string[] | null
  networks: readonly string[]
  rats: readonly Technology[] | null
}

/** What a request or a report names of the network. What it does not name, nothing is held against. */
export type OnNetwork = { mccmnc: string | null; rat: string | null }

export type NetworkRefusal = { code: 'country' | 'operator' | 'rat'; words: string }

const names = new Intl.DisplayNames('en', { type: 'region' })

/** Whether a network is among those that rules allow. The country of a network is that of its MCC. */
export function allowsNetwork({ countries, networks }: Pick<NetworkRules, 'countries' | 'networks'>, mccmnc: string): boolean {
  if (countries === null || networks.includes(mccmnc)) return true
  const country = countryOf(mccmnc)
  return country !== null && countries.includes(country)
}

/** Why a group does not allow a network or its technology; null: it does. Technologies that no group can choose, like Wi-Fi, are not refused. */
export function networkRefusal(rules: NetworkRules, { mccmnc, rat }: OnNetwork): NetworkRefusal | null {
  if (mccmnc !== null && !allowsNetwork(rules, mccmnc)) {
    const country = countryOf(mccmnc)
    const hasOthers = country !== null && rules.networks.some((network) => countryOf(network) === country)
    return country === null || hasOthers
      ? { code: 'operator', words: `The network ${mccmnc} is not allowed by the network group ${rules.name}` }
      : { code: 'country', words: `${names.of(country)} is not allowed by the network group ${rules.name}` }
  }
  const technology = technologyOf(rat)
  if (rules.rats !== null && technology !== null && !rules.rats.includes(technology))
    return { code: 'rat', words: `${technologies[technology]} is not allowed by the network group ${rules.name}` }
  return null
}
