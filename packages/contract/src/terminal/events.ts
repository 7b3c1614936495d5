import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { FileEnd, fileEnds, FileWay } from './file.ts'
import { EndReason, endReasons } from './session.ts'
import { SupportEnd, supportEnds } from './support.ts'
import { TunnelEnd, tunnelEnds } from './tunnel.ts'

const session = z.object({ asset_id: z.string(), asset_name: z.string(), terminal_id: z.string() })
const refreshes = ['terminal'] as const

export const terminalOpened = event({
  name: 'terminal.terminal_opened',
  refreshes,
  detail: session,
  sentence: 'Opened a terminal on {asset_name}',
})
/** `lasted`: in words. */
export const terminalEnded = event({
  name: 'terminal.terminal_ended',
  refreshes,
  detail: z.extend(session, { opened_by: z.string(), lasted: z.string(), reason: EndReason }),
  sentence: ({ reason }) =>
    reason === 'ended'
      ? 'Ended the terminal of {opened_by} on {asset_name} after {lasted}'
      : `The terminal of {opened_by} on {asset_name} ended after {lasted}: ${endReasons[reason]}`,
})
/** There was never a shell. */
export const terminalFailed = event({
  name: 'terminal.terminal_failed',
  refreshes,
  detail: z.extend(session, { reason: EndReason }),
  sentence: ({ reason }) =>
    reason === 'ended'
      ? 'Ended a terminal on {asset_name} before it was open'
      : `A terminal on {asset_name} could not be opened: ${endReasons[reason]}`,
})
export const terminalWatched = event({
  name: 'terminal.terminal_watched',
  refreshes,
  detail: z.extend(session, { opened_by: z.string() }),
  sentence: 'Joined the terminal of {opened_by} on {asset_name} to watch',
})
export const terminalHandedOver = event({
  name: 'terminal.terminal_handed_over',
  refreshes,
  detail: z.extend(session, { to_email: z.string() }),
  sentence: 'Handed the keyboard of the terminal on {asset_name} over to {to_email}',
})
export const recordingOpened = event({
  name: 'terminal.recording_opened',
  refreshes,
  detail: z.extend(session, { opened_by: z.string() }),
  sentence: 'Opened the recording of the terminal of {opened_by} on {asset_name}',
})

/** `size`: in words. `path`: on the device. */
const file = z.extend(session, { path: z.string(), size: z.string() })

export const fileSent = event({
  name: 'terminal.file_sent',
  refreshes,
  detail: z.extend(file, { sha256: z.string() }),
  sentence: 'Sent {path} to {asset_name}: {size}, SHA-256 {sha256}',
})
export const fileFetched = event({
  name: 'terminal.file_fetched',
  refreshes,
  detail: z.extend(file, { sha256: z.string() }),
  sentence: 'Fetched {path} from {asset_name}: {size}, SHA-256 {sha256}',
})
/** Some of it had gone already. `of`: all of it. */
export const fileBrokenOff = event({
  name: 'terminal.file_broken_off',
  refreshes,
  detail: z.extend(file, { way: FileWay, of: z.string(), reason: FileEnd }),
  sentence: ({ way, reason }) =>
    way === 'up'
      ? `{size} of {of} of {path} were sent to {asset_name}, which does not keep them: ${fileEnds[reason]}`
      : `{size} of {of} of {path} were fetched from {asset_name}, and no more: ${fileEnds[reason]}`,
})

const device = z.object({ asset_id: z.string(), asset_name: z.string() })

export const accessCodeSet = event({
  name: 'terminal.access_code_set',
  refreshes,
  detail: device,
  sentence: 'Set the access code of the terminal of {asset_name}',
})
export const accessCodeRemoved = event({
  name: 'terminal.access_code_removed',
  refreshes,
  detail: device,
  sentence: 'Removed the access code of the terminal of {asset_name}',
})
export const accessCodeMistyped = event({
  name: 'terminal.access_code_mistyped',
  refreshes: [],
  detail: device,
  sentence: 'Typed a wrong access code for the terminal of {asset_name}',
})

const support = z.object({ asset_id: z.string(), asset_name: z.string(), support_id: z.string(), staff_email: z.string() })
const ofSupport = { refreshes, effects: ['notifications.update_alerts'] } as const

export const supportAllowed = event({
  name: 'terminal.support_allowed',
  ...ofSupport,
  /** `for_time`: in words. */
  detail: z.extend(support, { for_time: z.string() }),
  sentence: 'Allowed {staff_email} of support to use the terminal of {asset_name} for {for_time}',
})
export const supportRefused = event({
  name: 'terminal.support_refused',
  ...ofSupport,
  detail: z.extend(support, { words: z.nullable(z.string()) }),
  sentence: ({ words }) =>
    words
      ? 'Refused {staff_email} of support the terminal of {asset_name}: {words}'
      : 'Refused {staff_email} of support the terminal of {asset_name}',
})
export const supportEnded = event({
  name: 'terminal.support_ended',
  ...ofSupport,
  detail: z.extend(support, { reason: SupportEnd }),
  sentence: ({ reason }) =>
    reason === 'ended'
      ? 'Ended the access of {staff_email} of support to {asset_name}'
      : `The access of {staff_email} of support to {asset_name} is over: ${supportEnds[reason]}`,
})
export const supportConsentSet = event({
  name: 'terminal.support_consent_set',
  refreshes,
  detail: z.object({ standing: z.boolean() }),
  sentence: ({ standing }) =>
    standing
      ? 'Allowed support to open terminals on devices without asking each time'
      : 'Withdrew the consent by which support opens terminals without asking',
})

const tunnel = z.object({ asset_id: z.string(), asset_name: z.string(), tunnel_id: z.string(), target: z.string() })

/** `target`: the port, with the address beside the device where it is one. */
export const tunnelOpened = event({
  name: 'terminal.tunnel_opened',
  refreshes,
  detail: z.extend(tunnel, { for_time: z.string(), sources: z.array(z.string()) }),
  sentence: 'Opened a tunnel to {target} of {asset_name} for {for_time}, from {sources}',
})
export const tunnelEnded = event({
  name: 'terminal.tunnel_ended',
  refreshes,
  detail: z.extend(tunnel, { opened_by: z.string(), reason: TunnelEnd, data: z.string(), connections: z.int() }),
  sentence: ({ reason }) =>
    `The tunnel of {opened_by} to {target} of {asset_name} is over: ${tunnelEnds[reason]}; {connections} connections, {data}`,
})
export const tunnelRulesSet = event({
  name: 'terminal.tunnel_rules_set',
  refreshes,
  detail: z.object({ beside: z.boolean() }),
  sentence: ({ beside }) =>
    beside ? 'Allowed tunnels to addresses beside the device' : 'No longer allows tunnels to addresses beside the device',
})
