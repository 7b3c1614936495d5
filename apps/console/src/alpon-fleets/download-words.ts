import type { PoolDownload, RolloutDownload, RolloutPreview } from '@masthead/contract/alpon-fleets/rollout'
import { overageWords } from '@masthead/contract/datapools/pool'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { devicesWords } from './rollout-words.ts'

/** "3 devices download 1.2 GB"; "at least" where more is not known. */
function takes({ devices, bytes, incomplete }: Pick<PoolDownload, 'devices' | 'bytes' | 'incomplete'>): string {
  const amount = !incomplete ? formatBytes(bytes) : bytes === 0 ? 'an unknown amount' : `at least ${formatBytes(bytes)}`
  return `${devicesWords(devices)} ${devices === 1 ? 'downloads' : 'download'} ${amount}`
}

/** "5 devices download 1.2 GB in all." */
export function downloadWords({ devices, bytes, unknown_images }: RolloutDownload): string {
  if (devices === 0) return 'No device has to download an image.'
  return `${takes({ devices, bytes, incomplete: unknown_images.length > 0 })} in all.`
}

/** What goes by another way than the cellular network; null: nothing, as far as is known. */
export const elsewhereWords = ({ elsewhere }: RolloutDownload): string | null =>
  elsewhere.devices === 0
    ? null
    : `Of them, ${takes(elsewhere)} by Ethernet or Wi-Fi, which ${elsewhere.devices === 1 ? 'it uses' : 'they use'} now.`

/** Which images are not counted, without their digests; null: all are. */
export function unknownWords({ unknown_images }: RolloutDownload): string | null {
  if (unknown_images.length === 0) return null
  return `Not counted in full, because ${unknown_images.length === 1 ? 'its size is' : 'their sizes are'} not known for each device: ${namesOf(unknown_images)}.`
}

const namesOf = (images: readonly string[]) => images.map((image) => image.split('@')[0]).join(', ')

const without = (images: readonly string[]) => `A device that does not have ${images.length === 1 ? 'it' : 'each of them'} yet fails`

/** Which images no device can download any more; null: all are there, as far as is known. */
export const goneWords = ({ gone_images: gone }: Pick<RolloutPreview, 'gone_images'>): string | null =>
  gone.length === 0 ? null : `The registry does not have ${namesOf(gone)} any more. ${without(gone)}.`

/** What may be gone of a version; null: it is the newest one, or nothing of it is of another registry. */
export const foreignWords = ({ foreign_images: foreign }: Pick<RolloutPreview, 'foreign_images'>, version: number, newest: number) =>
  foreign.length === 0 || version >= newest ? null : `Other registries may not have ${namesOf(foreign)} any more. ${without(foreign)} then.`

const poolsOf = ({ pool, others }: Pick<PoolDownload, 'pool' | 'others'>) => (pool === null ? [] : [pool, ...others])
const leftIn = (pools: ReturnType<typeof poolsOf>) => pools.reduce((sum, { remaining_bytes }) => sum + remaining_bytes, 0)

/** Whether what is left of the pools is enough, also with what the other devices of the rollout take from them, as far as is known. */
export const fits = ({ missing_bytes }: PoolDownload): boolean => missing_bytes === 0

/** "Europe, then World: 3 devices download 1.2 GB; 500 MB are left in all. It does not fit: 700 MB are missing. After World: stop." */
export function poolWords(download: PoolDownload): string {
  const pools = poolsOf(download)
  if (pools.length === 0) return `No data pool: ${takes(download)}.`
  const isOne = pools.length === 1
  const words = `${pools.map(({ name }) => name).join(', then ')}: ${takes(download)}; ${formatBytes(leftIn(pools))} are left${isOne ? '' : ' in all'}.`
  if (fits(download)) return words
  const after = pools.map((pool) => `After ${isOne ? 'the pool' : pool.name}: ${overageWords(pool)}.`)
  const shared = download.bytes <= leftIn(pools) ? `, because other devices of the rollout take from ${isOne ? 'it' : 'them'} too` : ''
  return `${words} It does not fit: ${formatBytes(download.missing_bytes)} are missing${shared}. ${after.join(' ')}`
}
