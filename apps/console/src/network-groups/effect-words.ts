import type { GroupPreview } from '@masthead/contract/network-groups/network-group'
import { countryName } from '../ui/country-name.ts'

export const simsOf = (count: number) => (count === 1 ? '1 SIM' : `${count.toLocaleString('en')} SIMs`)

type Effect = Omit<GroupPreview, 'sims' | 'attached'>

/** Whether a change of a group takes the service from any of its SIMs at once. */
export const takesService = ({ cut, blocked, wrong_device }: Effect): boolean => cut + blocked + wrong_device > 0

/** What a change of a group does to its SIMs, a sentence each, beside how many are affected and cut: `cut` says when. */
export function effectWords(effect: Effect, cut: string): string[] {
  const { cut: cuts, stranded, stranded_countries, blocked, freed, wrong_device, device_freed } = effect
  return [
    ...(cuts > 0 ? [cut] : []),
    ...(stranded > 0 ? [`${simsOf(stranded)} in ${listed(stranded_countries)} will find no allowed operator.`] : []),
    ...(blocked > 0 ? [`${simsOf(blocked)} ${blocked === 1 ? 'has' : 'have'} reached the limit already and will be blocked.`] : []),
    ...(wrong_device > 0
      ? [`${simsOf(wrong_device)} ${wrong_device === 1 ? 'is' : 'are'} in a device that is not accepted and will be blocked.`]
      : []),
    ...(freed > 0 ? [`${simsOf(freed)} will no longer be blocked for ${freed === 1 ? 'its' : 'their'} data limit.`] : []),
    ...(device_freed > 0 ? [`${simsOf(device_freed)} will no longer be blocked for ${device_freed === 1 ? 'its' : 'their'} device.`] : []),
  ]
}

const listed = (codes: readonly string[]) => {
  const names = codes.slice(0, 3).map(countryName)
  if (codes.length > 3) names.push(`${codes.length - 3} more countries`)
  return names.length <= 1 ? (names[0] ?? 'networks without a country') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
