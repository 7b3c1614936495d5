import * as ops from '@masthead/contract/terminal/operations'
import * as support from '@masthead/contract/terminal/support-operations'
import * as tunnels from '@masthead/contract/terminal/tunnel-operations'
import { file, read, write, type Route } from '../kernel/http/routes.ts'
import { endTerminal } from './end-terminal.ts'
import { openTerminal } from './open-terminal.ts'
import { sendRecording } from './send-recording.ts'
import { getSupportConsent, updateSupportConsent } from './support/consent.ts'
import { allowSupport, endSupport, refuseSupport } from './support/answer-support.ts'
import { listSupport } from './support/support-queries.ts'
import { getTerminal, listTerminals } from './terminal-queries.ts'
import { getTunnelRules, openTunnel, revokeTunnel, updateTunnelRules } from './tunnels/change-tunnels.ts'
import { getTunnel, listTunnelConnections, listTunnels } from './tunnels/tunnel-queries.ts'

export const terminalRoutes: Route[] = [
  write(ops.openTerminal, ({ db, actor, params, body }) => openTerminal(db, actor, params.asset_id, body)),
  read(ops.listTerminals, ({ db, actor, query }) => listTerminals(db, actor, query)),
  read(ops.getTerminal, ({ db, actor, params }) => getTerminal(db, actor, params.terminal_id)),
  write(ops.endTerminal, async ({ db, actor, params }) => {
    await endTerminal(db, actor, params.terminal_id)
    return {}
  }),
  file(ops.exportRecording, (call) => sendRecording(call, call.params.terminal_id)),
  read(support.listSupport, ({ db, actor, query }) => listSupport(db, actor, query)),
  write(support.allowSupport, ({ db, actor, params, body }) => allowSupport(db, actor, params.support_id, body.minutes)),
  write(support.refuseSupport, ({ db, actor, params, body }) => refuseSupport(db, actor, params.support_id, body.words || null)),
  write(support.endSupport, ({ db, actor, params }) => endSupport(db, actor, params.support_id)),
  read(support.getSupportConsent, ({ db, actor }) => getSupportConsent(db, actor)),
  write(support.updateSupportConsent, ({ db, actor, body }) => updateSupportConsent(db, actor, body.standing)),

  write(tunnels.openTunnel, ({ db, actor, params, body }) => openTunnel(db, actor, params.asset_id, body)),
  read(tunnels.listTunnels, ({ db, actor, query }) => listTunnels(db, actor, query)),
  read(tunnels.getTunnel, ({ db, actor, params }) => getTunnel(db, actor, params.tunnel_id)),
  read(tunnels.listTunnelConnections, ({ db, actor, params, query }) => listTunnelConnections(db, actor, params.tunnel_id, query)),
  write(tunnels.revokeTunnel, ({ db, actor, params }) => revokeTunnel(db, actor, params.tunnel_id)),
  read(tunnels.getTunnelRules, ({ db, actor }) => getTunnelRules(db, actor)),
  write(tunnels.updateTunnelRules, ({ db, actor, body }) => updateTunnelRules(db, actor, body.beside)),
]
