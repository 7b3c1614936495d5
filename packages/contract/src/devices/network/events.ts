import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

const asset = z.object({ asset_id: z.string(), asset_name: z.string() })
const refreshes = ['devices', 'assets'] as const
/** One that a device undid is an alert until its network is set again. */
const effects = ['notifications.update_alerts']

export const networkPriorityChanged = event({
  name: 'assets.network_priority_changed',
  effects,
  refreshes,
  detail: z.extend(asset, { order: z.string() }),
  sentence: 'Set the order of interfaces of {asset_name}: {order}',
})
export const simAccessChanged = event({
  name: 'assets.sim_access_changed',
  effects,
  refreshes,
  detail: z.extend(asset, { what: z.string() }),
  sentence: 'Set {what} of the device of {asset_name}',
})
export const networkRetried = event({
  name: 'assets.network_retried',
  effects,
  refreshes,
  detail: asset,
  sentence: 'Had the device of {asset_name} try its network settings once more',
})
export const wifiConnected = event({
  name: 'assets.wifi_connected',
  effects,
  refreshes,
  detail: z.extend(asset, { ssid: z.string() }),
  sentence: 'Connected the device of {asset_name} to the Wi-Fi network {ssid}',
})
export const wifiForgotten = event({
  name: 'assets.wifi_forgotten',
  effects,
  refreshes,
  detail: z.extend(asset, { ssid: z.string() }),
  sentence: 'Had the device of {asset_name} forget the Wi-Fi network {ssid}',
})
export const esimProfileAdded = event({
  name: 'assets.esim_profile_added',
  refreshes,
  detail: asset,
  sentence: 'Had the device of {asset_name} add a profile to its eSIM',
})
export const esimProfileSwitched = event({
  name: 'assets.esim_profile_switched',
  effects,
  refreshes,
  detail: z.extend(asset, { iccid: z.string() }),
  sentence: 'Had the device of {asset_name} switch its eSIM to the profile {iccid}',
})
export const esimProfileDeleted = event({
  name: 'assets.esim_profile_deleted',
  refreshes,
  detail: z.extend(asset, { iccid: z.string() }),
  sentence: 'Had the device of {asset_name} delete the profile {iccid} of its eSIM',
})
export const esimJobWithdrawn = event({
  name: 'assets.esim_job_withdrawn',
  refreshes,
  detail: asset,
  sentence: 'Withdrew what the device of {asset_name} was to do with its eSIM',
})
export const networkUndone = event({
  name: 'assets.network_undone',
  effects,
  refreshes,
  detail: z.extend(asset, { words: z.string() }),
  sentence: 'The device of {asset_name} went back to its previous network settings: {words}',
})
