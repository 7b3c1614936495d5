import { problem } from '../kernel/problem.ts'
import { mostOpen } from './session.ts'
import { mostTunnels } from './tunnel.ts'

export const noTerminalDevice = problem({
  code: 'no_terminal_device',
  status: 409,
  title: 'No device is set up for this asset, so there is nothing to open a terminal on',
})
export const terminalNeverConnected = problem({
  code: 'device_never_connected',
  status: 409,
  title: 'No device has connected for this asset yet, so there is nothing to open a terminal on',
})
export const terminalOffline = problem({
  code: 'device_offline',
  status: 409,
  title: 'The device is offline, so no terminal can be opened',
})
export const terminalSuspended = problem({
  code: 'account_suspended',
  status: 409,
  title: 'The account is suspended, so neither terminals nor tunnels can be opened',
})
export const tooManyTerminals = problem({
  code: 'too_many_terminals',
  status: 409,
  title: `${mostOpen.account} terminals of the account are open: end one of them`,
})
export const tooManyOwnTerminals = problem({
  code: 'too_many_own_terminals',
  status: 409,
  title: `You have ${mostOpen.person} terminals open: end one of them`,
})
export const accessCodeNeeded = problem({
  code: 'access_code_needed',
  status: 409,
  title: 'The terminal of this device asks for its access code',
})
export const accessCodeWrong = problem({ code: 'access_code_wrong', status: 409, title: 'This is not the access code of the device' })
export const noRecording = problem({ code: 'no_recording', status: 409, title: 'This session has no recording' })
export const supportAnswered = problem({ code: 'support_answered', status: 409, title: 'Somebody has answered this already' })
export const supportOver = problem({ code: 'support_over', status: 409, title: 'This access is over' })
export const supportNotAllowed = problem({
  code: 'support_not_allowed',
  status: 409,
  title: 'The customer has not answered yet, so no terminal can be opened',
})
export const supportOfAnother = problem({
  code: 'support_of_another',
  status: 409,
  title: 'The customer allowed this to the person who asked, and to nobody else',
})
export const supportAsked = problem({ code: 'support_asked', status: 409, title: 'You have asked for this device already' })
export const noTunnelDevice = problem({
  code: 'no_tunnel_device',
  status: 409,
  title: 'No device with the Masthead edge agent is set up for this asset, so there is nothing a tunnel could lead to',
})
export const tunnelBeside = problem({
  code: 'tunnel_beside',
  status: 409,
  title: 'The account does not allow tunnels to addresses beside the device',
})
export const tunnelNoCertificate = problem({
  code: 'tunnel_no_certificate',
  status: 409,
  title: 'This server has no certificate for the ports of tunnels',
})
export const tooManyTunnels = problem({
  code: 'too_many_tunnels',
  status: 409,
  title: `A device has ${mostTunnels.device} tunnels at once, a person ${mostTunnels.person} and an account ${mostTunnels.account}: revoke one of them`,
})
export const tunnelOver = problem({ code: 'tunnel_over', status: 409, title: 'This tunnel is over' })
