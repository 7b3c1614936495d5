import * as codes from '@masthead/contract/terminal/access-code-operations'
import * as ops from '@masthead/contract/terminal/operations'
import * as support from '@masthead/contract/terminal/support-operations'
import * as tunnels from '@masthead/contract/terminal/tunnel-operations'
import { getAssetId } from '../assets/index.ts'
import { hashPassword } from '../auth/index.ts'
import { getAgentDevice } from '../devices/agent/index.ts'
import { file, reach, read, write, type Route } from '../kernel/http/routes.ts'
import { getAccessCode, removeAccessCode, updateAccessCode } from './access-code/access-code.ts'
import { joinWithCode, openWithCode } from './access-code/open-with-code.ts'
import { endTerminal } from './end-terminal.ts'
import { sendRecording } from './send-recording.ts'
import { getSupportConsent, updateSupportConsent } from './support/consent.ts'
import { allowSupport, endSupport, refuseSupport } from './support/answer-support.ts'
import { listSupport } from './support/support-queries.ts'
import { getTerminal, listTerminals } from './terminal-queries.ts'
import { getTunnelRules, openTunnel, revokeTunnel, updateTunnelRules } from './tunnels/change-tunnels.ts'
import { getTunnel, listTunnelConnections, listTunnels } from './tunnels/tunnel-queries.ts'

export const terminalRoutes: Route[] = [
  reach(ops.openTerminal, ({ app, request, actor, params, body }) => openWithCode({ app, request, actor, key: params.asset_id, body })),
  reach(ops.joinTerminal, ({ app, request, actor, params, body }) =>
    joinWithCode({ app, request, actor, terminal_id: params.terminal_id, code: body.code })
  ),
  read(codes.getAccessCode, ({ db, actor, params }) => getAccessCode(db, actor, params.asset_id)),
  read(codes.getDeviceAccessCode, async ({ db, actor, params }) => {
    await getAgentDevice(db, actor.account_id, await getAssetId(db, actor, params.asset_id))
    return getAccessCode(db, actor, params.asset_id)
  }),
  write(codes.updateAccessCode, async ({ db, actor, params, body }) =>
    updateAccessCode(db, actor, params.asset_id, await hashPassword(body.code))
  ),
  write(codes.removeAccessCode, ({ db, actor, params }) => removeAccessCode(db, actor, params.asset_id)),
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

  write(tunnels.openTunnel, ({ config, db, actor, params, body }) => openTunnel(db, { config }, actor, params.asset_id, body)),
  read(tunnels.listTunnels, ({ db, actor, query }) => listTunnels(db, actor, query)),
  read(tunnels.getTunnel, ({ db, actor, params }) => getTunnel(db, actor, params.tunnel_id)),
  read(tunnels.listTunnelConnections, ({ db, actor, params, query }) => listTunnelConnections(db, actor, params.tunnel_id, query)),
  write(tunnels.revokeTunnel, ({ db, actor, params }) => revokeTunnel(db, actor, params.tunnel_id)),
  read(tunnels.getTunnelRules, ({ config, db, actor }) => getTunnelRules(db, { config }, actor)),
  write(tunnels.updateTunnelRules, ({ config, db, actor, body }) => updateTunnelRules(db, { config }, actor, body.beside)),
]
