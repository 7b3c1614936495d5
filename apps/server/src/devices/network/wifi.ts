import { wifiConnected, wifiForgotten } from '@masthead/contract/devices/network/events'
import { tooManyWifi, wifiPasswordMissing } from '@masthead/contract/devices/network/problems'
import { mostWifi } from '@masthead/contract/devices/network/settings'
import type { ConnectWifiBody } from '@masthead/contract/devices/network/view'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { newId } from '@masthead/contract/kernel/id'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { commandId } from '../agent/ask-device.ts'
import { sendDirective } from '../send-directive.ts'
import { assetOf, changeNetwork } from './change-network.ts'
import { getNetwork } from './network-rows.ts'

/** Nobody looks at what is found later. */
const scanWaits = 60_000 // ms

/** The network that is set last is the one that is connected. Throws wifi_password_missing, too_many_wifi. */
export async function connectWifi(tx: Tx, actor: Actor, asset_id: string, { ssid, security, hidden, password: given }: ConnectWifiBody) {
  await changeNetwork(tx, actor, asset_id, (before) => {
    const others = (before.wifi ?? []).filter((each) => each.ssid !== ssid)
    const known = before.wifi?.find((each) => each.ssid === ssid)?.password ?? null
    const password = security === 'open' ? null : (given ?? known)
    if (security !== 'open' && password === null) throw new Problem(wifiPasswordMissing)
    if (others.length >= mostWifi) throw new Problem(tooManyWifi)
    return { ...before, wifi: [...others, { ssid, security, hidden, password }] }
  })
  await record(tx, actor, wifiConnected, { ...(await assetOf(tx, actor, asset_id)), ssid })
  return getNetwork(tx, actor.account_id, asset_id)
}

export async function forgetWifi(tx: Tx, actor: Actor, asset_id: string, { ssid }: { ssid: string }) {
  await changeNetwork(tx, actor, asset_id, (before) => {
    if (!before.wifi?.some((each) => each.ssid === ssid)) throw new Problem(notFound)
    return { ...before, wifi: before.wifi.filter((each) => each.ssid !== ssid) }
  })
  await record(tx, actor, wifiForgotten, { ...(await assetOf(tx, actor, asset_id)), ssid })
  return getNetwork(tx, actor.account_id, asset_id)
}

export async function scanWifi(tx: Tx, { account_id, at }: Actor, asset_id: string): Promise<void> {
  const { id: device_id } = await getAgentDevice(tx, account_id, asset_id)
  const data = { id: newId(commandId, at.getTime()), do: 'scan' }
  await sendDirective(tx, { account_id, device_id, payload: { command: 'run', data }, at, waitsFor: scanWaits })
}
