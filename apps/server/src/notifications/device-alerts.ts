import {
  esimProfileSwitched,
  networkPriorityChanged,
  networkRetried,
  networkUndone,
  simAccessChanged,
  wifiConnected,
  wifiForgotten,
} from '@masthead/contract/devices/network/events'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import type { Meaning } from './alert-rules.ts'

const cause = (asset_id: string) => `network_undone:${asset_id}`
/** Another generation is wanted from then on. */
const setAgain: string[] = [
  esimProfileSwitched,
  networkPriorityChanged,
  networkRetried,
  simAccessChanged,
  wifiConnected,
  wifiForgotten,
].map(({ name }) => name)

/** A device lost the server by what was wanted of its network, and has its settings of before. */
export function networkMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (setAgain.includes(name))
    return { resolve: cause((detail as { asset_id: string }).asset_id), words: 'The network settings were changed again' }
  if (name !== networkUndone.name) return null
  const { asset_id, asset_name, words } = networkUndone.detail.parse(detail)
  return {
    raise: {
      cause: cause(asset_id),
      severity: 'warn',
      source: 'device',
      title: `${asset_name} went back to its network settings of before`,
      words: `${words}. It works as before; change the settings, or have it try them once more.`,
      lasting: true,
      permission: 'assets.view',
      asset_id,
      link: `/assets/${asset_id}/network`,
    },
  }
}
