import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { ConfigChange, ConfigRequest } from './config.ts'
import { Device } from './device.ts'
import { Maintenance, MaintenanceBody } from './maintenance.ts'
import { changeNotWaiting, coreDeviceOnly, noDeviceYet, tooManyChanges } from './problems.ts'

export const getDevice = operation({
  name: 'devices.getDevice',
  method: 'GET',
  path: '/assets/{asset_id}/device',
  summary: 'The device of an asset: whether it is online, what it reports, and what is wanted of it',
  access: 'assets.view',
  reply: z.object({ device: z.nullable(Device) }),
  problems: [notFound],
})

/** What signed in with the token before is disconnected. Devices with our agent are set up by a claim code. */
export const enrolDevice = operation({
  name: 'devices.enrolDevice',
  method: 'POST',
  path: '/assets/{asset_id}/device/credentials',
  summary: 'Give a CORE device a new token for MQTT, shown only once',
  access: 'core.edit',
  reply: z.object({ device_id: z.string(), client_id: z.string(), username: z.string(), password: z.string() }),
  encryptsReply: true,
  problems: [notFound, coreDeviceOnly],
})

/** It is sent when the device is online, and again every 30 seconds until it answers. */
export const configureDevice = operation({
  name: 'devices.configureDevice',
  method: 'POST',
  path: '/assets/{asset_id}/core/config',
  summary: 'Change the configuration of a CORE device',
  access: 'core.edit',
  body: ConfigChange,
  reply: ConfigRequest,
  problems: [notFound, noDeviceYet, coreDeviceOnly, tooManyChanges],
})

export const withdrawConfig = operation({
  name: 'devices.withdrawConfig',
  method: 'POST',
  path: '/assets/{asset_id}/core/config/{config_id}/withdraw',
  summary: 'Withdraw a change of configuration that the device does not have yet',
  access: 'core.edit',
  reply: ConfigRequest,
  problems: [notFound, changeNotWaiting],
})

export const updateDevice = operation({
  name: 'devices.updateDevice',
  method: 'POST',
  path: '/assets/{asset_id}/core/maintenance',
  summary: 'Have a CORE device update its manager or agent and restart it',
  access: 'core.edit',
  body: MaintenanceBody,
  reply: Maintenance,
  problems: [notFound, noDeviceYet, coreDeviceOnly],
})
