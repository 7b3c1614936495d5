import { agentRulesSet, agentUpdatesStopped } from '@masthead/contract/devices/events'
import {
  esimProfileSwitched,
  networkPriorityChanged,
  networkRetried,
  networkUndone,
  simAccessChanged,
  wifiConnected,
  wifiForgotten,
} from '@masthead/contract/devices/network/events'
import { readingPermissions } from '@masthead/contract/event-reading'
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
      title: `${asset_name} went back to its previous network settings`,
      words: `${words}. It works as before; change the settings, or have it try them once more.`,
      lasting: true,
      permission: readingPermissions.devices,
      asset_id,
      link: `/assets/${asset_id}/network`,
    },
  }
}

const agentCause = 'agent_updates'

/** The automatic updates of agents have stopped: somebody must look why. Setting their rules again lets them go on. */
export function agentMeaning({ name, detail }: HappenedEvent): Meaning | null {
  if (name === agentRulesSet.name) return { resolve: agentCause, words: 'The automatic updates were set again' }
  if (name !== agentUpdatesStopped.name) return null
  const { version, failures } = agentUpdatesStopped.detail.parse(detail)
  return {
    raise: {
      cause: agentCause,
      severity: 'warn',
      source: 'device',
      title: 'The automatic updates of agents have stopped',
      words: `${failures} devices in a row were not updated to ${version}. The activities say why; no other device is asked until somebody starts the updates again.`,
      lasting: true,
      permission: readingPermissions.devices,
      link: '/profile?tab=account',
    },
  }
}
