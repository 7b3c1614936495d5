import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { EndReason, endReasons } from './session.ts'

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
  sentence: ({ reason }) => `The terminal of {opened_by} on {asset_name} ended after {lasted}: ${endReasons[reason]}`,
})
/** There was never a shell. */
export const terminalFailed = event({
  name: 'terminal.terminal_failed',
  refreshes,
  detail: z.extend(session, { reason: EndReason }),
  sentence: ({ reason }) => `A terminal on {asset_name} could not be opened: ${endReasons[reason]}`,
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
