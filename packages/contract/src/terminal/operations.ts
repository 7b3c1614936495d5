import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { TypedAccessCode } from './access-code.ts'
import {
  accessCodeNeeded,
  accessCodeWrong,
  noRecording,
  noTerminalDevice,
  terminalNeverConnected,
  terminalOffline,
  terminalSuspended,
  tooManyOwnTerminals,
  tooManyTerminals,
} from './problems.ts'
import { ListTerminalsQuery, Size, TerminalSession } from './session.ts'

/**
 * What is shown and typed goes through a WebSocket at `/v1/terminal-sessions/{id}/socket`, within 20 seconds. It takes the session of a browser
 * alone, and no API key.
 */
export const openTerminal = operation({
  name: 'terminal.openTerminal',
  method: 'POST',
  path: '/assets/{asset_id}/terminal',
  summary: 'Ask a device for a terminal',
  access: 'terminal.open',
  keys: false,
  /** `code`: the access code of the device, where it has one. */
  body: z.extend(Size, { code: z.optional(TypedAccessCode) }),
  reply: TerminalSession,
  problems: [
    notFound,
    accessCodeNeeded,
    accessCodeWrong,
    noTerminalDevice,
    terminalNeverConnected,
    terminalOffline,
    terminalSuspended,
    tooManyTerminals,
    tooManyOwnTerminals,
  ],
})

/**
 * Before its WebSocket is opened: where the device has an access code, whoever watches gives it once for each session. Who opened the session gave it, and a
 * session of support needs none.
 */
export const joinTerminal = operation({
  name: 'terminal.joinTerminal',
  method: 'POST',
  path: '/terminal-sessions/{terminal_id}/join',
  summary: 'Take part in a terminal session',
  access: 'terminal.open',
  keys: false,
  body: z.object({ code: z.optional(TypedAccessCode) }),
  reply: TerminalSession,
  problems: [notFound, accessCodeNeeded, accessCodeWrong],
})

/** Of assets that whoever asks may see. */
export const listTerminals = operation({
  name: 'terminal.listTerminals',
  method: 'GET',
  path: '/terminal-sessions',
  summary: 'Terminal sessions, the newest first',
  access: 'terminal.open',
  query: ListTerminalsQuery,
  reply: page(TerminalSession),
})

export const getTerminal = operation({
  name: 'terminal.getTerminal',
  method: 'GET',
  path: '/terminal-sessions/{terminal_id}',
  summary: 'One terminal session',
  access: 'terminal.open',
  reply: TerminalSession,
  problems: [notFound],
})

/** What runs in the foreground of its shell stops. One that has ended stays as it is. */
export const endTerminal = operation({
  name: 'terminal.endTerminal',
  method: 'POST',
  path: '/terminal-sessions/{terminal_id}/end',
  summary: 'End a terminal session',
  access: 'terminal.open',
  reply: z.object({}),
  problems: [notFound],
})

/** asciicast v2: a line of JSON for each event. That somebody opened it is recorded. */
export const exportRecording = operation({
  name: 'terminal.exportRecording',
  method: 'GET',
  path: '/terminal-sessions/{terminal_id}/recording',
  summary: 'The recording of a terminal session',
  access: 'terminal.recordings',
  gives: 'file',
  problems: [notFound, noRecording],
})
