import { problem } from '../kernel/problem.ts'
import { mostOpen } from './session.ts'

export const noTerminalDevice = problem({
  code: 'no_terminal_device',
  status: 409,
  title: 'No device is set up for this asset, so there is nothing to open a terminal on',
})
export const terminalOffline = problem({
  code: 'device_offline',
  status: 409,
  title: 'The device is offline, so no terminal can be opened',
})
export const terminalSuspended = problem({
  code: 'account_suspended',
  status: 409,
  title: 'The account is suspended, so no terminal can be opened',
})
export const tooManyTerminals = problem({
  code: 'too_many_terminals',
  status: 409,
  title: `${mostOpen} terminals of the account are open: end one of them`,
})
export const noRecording = problem({ code: 'no_recording', status: 409, title: 'This session has no recording' })
