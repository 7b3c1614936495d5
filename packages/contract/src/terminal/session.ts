import * as z from 'zod/mini'
import { Bytes, listOf, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'
import { PageQuery } from '../kernel/page.ts'

export const terminalId = idKind('trm')

/** ms: no key was pressed for so long. */
export const idleEndsAfter = 600_000
/** ms from the beginning to the end, whatever is done. */
export const longestSession = 3_600_000
/** ms that a device has to answer and to start a shell. */
export const answersWithin = 20_000
/** ms that a shell goes on while the browser or the device is away. */
export const awayFor = 60_000
/** ms that a shell goes on while nobody can be asked whether it may, as without the database. */
export const unaskedFor = 60_000
/** Sessions that are open at once, of one person and of the account. */
export const mostOpen = { person: 10, account: 50 } as const

/** Why a session is over. */
export const endReasons = {
  ended: 'It was ended',
  shell_ended: 'The shell on the device ended',
  no_answer: 'The device did not answer within 20 s',
  no_shell: 'The device could not start a shell',
  not_supported: 'The device has no terminal',
  not_connected: 'No way to the device was found',
  device_left: 'The connection to the device broke for more than a minute',
  left: 'The window was closed for more than a minute',
  idle: 'No key was pressed for 10 minutes',
  too_long: 'It was open for an hour',
  not_allowed: 'The person who opened it lost access',
  support_over: 'The access of support was over',
  not_asked: 'For a minute nobody could be asked whether it may go on',
  recording_full: 'The recording reached 4 GB',
  recording_failed: 'The recording could not be written',
  server_stopped: 'The server or its database stopped',
} as const
export const EndReason = z.enum(Object.keys(endReasons) as [keyof typeof endReasons])
export type EndReason = keyof typeof endReasons

export const TerminalState = z.enum(['connecting', 'open', 'ended'])
export type TerminalState = z.output<typeof TerminalState>

export const TerminalSession = z.object({
  id: z.string(),
  asset_id: z.string(),
  asset_name: z.string(),
  kind: z.enum(['agent', 'core']),
  state: TerminalState,
  opened_by: z.string(),
  /** Others who had a window on it; `typed`: they had the keyboard. Of sessions from before this was kept there are none. */
  participants: z.array(z.object({ email: z.string(), typed: z.boolean() })),
  client_ip: z.nullable(z.string()),
  requested_at: Time,
  /** When the shell was there. */
  opened_at: z.nullable(Time),
  ended_at: z.nullable(Time),
  end_reason: z.nullable(EndReason),
  ended_by: z.nullable(z.string()),
  /** What a device that has no terminal, or whose shell did not start, says of it. */
  words: z.nullable(z.string()),
  /** What was typed. */
  bytes_in: Bytes,
  /** What the shell wrote. */
  bytes_out: Bytes,
  /** None, being written, or there until it is deleted. */
  recording: z.enum(['none', 'writing', 'kept', 'deleted']),
  recording_until: z.nullable(Time),
  /** Opened by support, with this access. */
  support_id: z.nullable(z.string()),
})
export type TerminalSession = z.output<typeof TerminalSession>

export const ListTerminalsQuery = z.extend(PageQuery, {
  asset: z.optional(z.string().check(z.maxLength(120))),
  /** The e-mail of whoever opened it. */
  person: z.optional(z.string().check(z.maxLength(254))),
  state: listOf(TerminalState),
})

const side = (most: number) => z.int().check(z.minimum(2), z.maximum(most))
export const Size = z.object({ cols: side(500), rows: side(300) })
export type Size = z.output<typeof Size>
