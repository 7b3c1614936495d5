import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { notFound } from '../../kernel/problem.ts'
import { needsDevice, needsOurType } from '../agent/problems.ts'
import { addProfileErrors, switchProfileErrors } from '../error-names.ts'
import { apnNotSet, esimBusy, esimNotWaiting, networkNotWanted, tooManyWifi, wifiPasswordMissing } from './problems.ts'
import { ReportedNetwork } from './reported.ts'
import { ActivationCode, Apn, ConfirmationCode, Iccid, ProfileName, Ssid } from './settings.ts'
import { ConnectWifiBody, Network, NetworkPriorityBody, SimAccessBody } from './view.ts'

export const getNetwork = operation({
  name: 'devices.getNetwork',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/network',
  summary: 'The network of a device: what is wanted, and what it reported last',
  access: 'assets.view',
  reply: Network,
  problems: needsOurType,
})

export const getNetworkPriority = operation({
  name: 'devices.getNetworkPriority',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/network_priority',
  summary: 'The order of a device’s interfaces: the one that is wanted, and the one that it reported last',
  access: 'assets.view',
  reply: z.object({ wanted: z.nullable(z.array(z.string())), reported: z.array(z.string()) }),
  problems: needsDevice,
})

/** The device undoes it by itself when it does not reach the server with it. */
export const updateNetworkPriority = operation({
  name: 'devices.updateNetworkPriority',
  method: 'PATCH',
  path: '/assets/{asset_id}/alpon/network_priority',
  summary: 'Set the order of a device’s interfaces: the first that has a connection is used',
  access: 'assets.edit',
  body: NetworkPriorityBody,
  reply: Network,
  problems: needsDevice,
})

/** The device undoes another APN by itself when it does not reach the server with it. Password and PIN are kept encrypted and never shown. */
export const updateSimAccess = operation({
  name: 'devices.updateSimAccess',
  method: 'PATCH',
  path: '/assets/{asset_id}/sim',
  summary: 'Set the APN of a device and the PIN that unlocks its SIM',
  access: 'assets.edit',
  body: SimAccessBody,
  reply: Network,
  problems: [...needsDevice, apnNotSet],
})

export const retryNetwork = operation({
  name: 'devices.retryNetwork',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/network/retry',
  summary: 'Have a device try once more what is wanted of its network',
  access: 'assets.edit',
  reply: Network,
  problems: [...needsDevice, networkNotWanted],
})

/** Its password is kept encrypted and never shown. The device undoes it by itself when it does not reach the server with it. */
export const connectWifi = operation({
  name: 'devices.connectWifi',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/wifi',
  summary: 'Connect a device to a Wi-Fi network',
  access: 'assets.edit',
  body: ConnectWifiBody,
  reply: Network,
  problems: [...needsDevice, wifiPasswordMissing, tooManyWifi],
})
/** One that was set from here. */
export const forgetWifi = operation({
  name: 'devices.forgetWifi',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/wifi/forget',
  summary: 'Have a device forget a Wi-Fi network',
  access: 'assets.edit',
  body: z.object({ ssid: Ssid }),
  reply: Network,
  problems: [...needsDevice, notFound],
})
/** What it finds stands in its next report. */
export const scanWifi = operation({
  name: 'devices.scanWifi',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/wifi/scan',
  summary: 'Have a device look for Wi-Fi networks in reach, if it is online within a minute',
  access: 'assets.edit',
  problems: needsDevice,
})

export const getEsim = operation({
  name: 'devices.getEsim',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/esim',
  summary: 'The profiles of a device’s eSIM as it reported them last, and how far it is with what is to be done',
  access: 'assets.view',
  reply: z.object({ wanted: z.nullable(z.string()), waits: z.boolean(), reported: ReportedNetwork.shape.esim }),
  problems: needsDevice,
})
/** It is downloaded, named, and not switched to; its APN is set by the switch to it. The code is kept encrypted until the device has used it, and never shown. */
export const addEsimProfile = operation({
  name: 'devices.addEsimProfile',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/esim',
  summary: 'Add a profile to a device’s eSIM by its activation code. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: z.object({
    act_code: ActivationCode,
    confirmation_code: z.optional(ConfirmationCode),
    name: z.optional(ProfileName),
    apn: z.optional(Apn),
  }),
  fieldErrors: addProfileErrors,
  reply: Network,
  problems: [...needsDevice, esimBusy],
})
/** With the APN that the profile was added with. The device goes back to both by itself when it does not reach the server with them. */
export const updateActiveEsim = operation({
  name: 'devices.updateActiveEsim',
  method: 'PATCH',
  path: '/assets/{asset_id}/alpon/esim',
  summary: 'Switch a device to another profile of its eSIM. With `Accept: text/event-stream` the answer is its progress',
  access: 'assets.edit',
  body: z.object({ iccid: Iccid }),
  fieldErrors: switchProfileErrors,
  reply: Network,
  problems: needsDevice,
})
/** One that is not in use. */
export const deleteEsimProfile = operation({
  name: 'devices.deleteEsimProfile',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/esim/delete',
  summary: 'Delete a profile of a device’s eSIM',
  access: 'assets.edit',
  body: z.object({ iccid: Iccid }),
  reply: Network,
  problems: [...needsDevice, esimBusy],
})
/** Of which nobody knows whether the device comes back to do it. One that has it and is offline may still do it. */
export const withdrawEsimJob = operation({
  name: 'devices.withdrawEsimJob',
  method: 'POST',
  path: '/assets/{asset_id}/alpon/esim/withdraw',
  summary: 'Withdraw what a device is to do with the profiles of its eSIM, as long as it has not begun',
  access: 'assets.edit',
  reply: Network,
  problems: [...needsDevice, esimNotWaiting],
})
