import * as ops from '@masthead/contract/terminal/operations'
import { file, read, write, type Route } from '../kernel/http/routes.ts'
import { endTerminal } from './end-terminal.ts'
import { openTerminal } from './open-terminal.ts'
import { sendRecording } from './send-recording.ts'
import { getTerminal, listTerminals } from './terminal-queries.ts'

export const terminalRoutes: Route[] = [
  write(ops.openTerminal, ({ db, actor, params, body }) => openTerminal(db, actor, params.asset_id, body)),
  read(ops.listTerminals, ({ db, actor, query }) => listTerminals(db, actor, query)),
  read(ops.getTerminal, ({ db, actor, params }) => getTerminal(db, actor, params.terminal_id)),
  write(ops.endTerminal, async ({ db, actor, params }) => {
    await endTerminal(db, actor, params.terminal_id)
    return {}
  }),
  file(ops.exportRecording, (call) => sendRecording(call, call.params.terminal_id)),
]
