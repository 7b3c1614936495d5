import { needsDevice } from '../devices/agent/problems.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { AccessCode, NewAccessCode } from './access-code.ts'

/** The code itself is never sent to anybody. */
export const getAccessCode = operation({
  name: 'terminal.getAccessCode',
  method: 'GET',
  path: '/assets/{asset_id}/terminal-code',
  summary: 'Whether the terminal of a device asks for an access code',
  access: 'terminal.open',
  reply: AccessCode,
  problems: [notFound],
})

/** The same by the path that programs for these devices know (domain §6.7). */
export const getDeviceAccessCode = operation({
  name: 'terminal.getDeviceAccessCode',
  method: 'GET',
  path: '/assets/{asset_id}/alpon/terminal_access_code',
  summary:
    'Whether the terminal of a device that is set up asks for an access code, and who set it. The code itself is kept as a hash and is not sent',
  access: 'terminal.open',
  reply: AccessCode,
  problems: needsDevice,
})

/** From now on every terminal of the device asks for it, also one of the person who set it. */
export const updateAccessCode = operation({
  name: 'terminal.updateAccessCode',
  method: 'PUT',
  path: '/assets/{asset_id}/terminal-code',
  summary: 'Set the access code of a device, or another one',
  access: 'profile.edit',
  keys: false,
  body: NewAccessCode,
  reply: AccessCode,
  problems: [notFound],
})

/** Where there is none it changes nothing. */
export const removeAccessCode = operation({
  name: 'terminal.removeAccessCode',
  method: 'DELETE',
  path: '/assets/{asset_id}/terminal-code',
  summary: 'Remove the access code of a device',
  access: 'profile.edit',
  keys: false,
  reply: AccessCode,
  problems: [notFound],
})
