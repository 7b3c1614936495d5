import type { GroupPreview } from '@masthead/contract/network-groups/network-group'
import { countryName } from '../ui/country-name.ts'

export const simsOf = (count: number) => (count === 1 ? '1 SIM' : `${count.toLocaleString('en')} SIMs`)

/** What a change of a group does to its SIMs, a sentence each, beside how many are affected and cut: `cut` says when. */
export function effectWords({ cut: cuts, stranded, stranded_countries, blocked, freed }: GroupPreview, cut: string): string[] {
  return [
    ...(cuts > 0 ? [cut] : []),
    ...(stranded > 0 ? [`${simsOf(stranded)} in ${listed(stranded_countries)} will find no allowed operator.`] : []),
    ...(blocked > 0 ? [`${simsOf(blocked)} ${blocked === 1 ? 'has' : 'have'} reached the limit already and will be blocked.`] : []),
    ...(freed > 0 ? [`${simsOf(freed)} will no longer be blocked.`] : []),
  ]
}

const listed = (codes: readonly string[]) => {
  const names = codes.slice(0, 3).map(countryName)
  if (codes.length > 3) names.push(`${codes.length - 3} more countries`)
  return names.length <= 1 ? (names[0] ?? 'networks without a country') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
