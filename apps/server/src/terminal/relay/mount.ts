import type { FastifyInstance, FastifyRequest } from 'fastify'
import { crossSite, forbidden, notFound, Problem, sessionNeeded, unauthenticated, viewOnly } from '@masthead/contract/kernel/problem'
import { accessCodeNeeded } from '@masthead/contract/terminal/problems'
import { joinTerminal } from '@masthead/contract/terminal/operations'
import { filesAccess } from '@masthead/contract/terminal/file'
import { getAssetId } from '../../assets/index.ts'
import { sessionStands } from '../../auth/index.ts'
import { deviceOf } from '../../devices/agent/index.ts'
import { actorMay, type Actor, type App } from '../../kernel/app.ts'
import { isOwnOrigin } from '../../kernel/http/cross-site.ts'
import type { Authenticate } from '../../kernel/http/routes.ts'
import { takeWebSockets } from '../../kernel/http/web-sockets.ts'
import { cookieOf, sessionCookie } from '../../kernel/secrets/presented-secret.ts'
import { mayBeAt } from '../access-code/access-code.ts'
import { findSupporter, supportStands } from '../support/supporter.ts'
import { getTerminal } from '../terminal-queries.ts'
import { joinAgent } from './agent-end.ts'
import type { Allowed } from './ends.ts'
import { TerminalHub } from './hub.ts'
import type { Relay } from './relay.ts'
import { deviceStands, unlessRefused } from './still-allowed.ts'
import { joinWindow, largestFrame } from './window-end.ts'

const paths = /^\/v1\/(terminal-sessions\/[\w-]+\/(socket|file)|devices\/terminal(-file)?\/[\w-]+)$/

/** The WebSockets of a terminal: that of a window and that of the device, and the same two of each file. All are asked who they are as every call is. Answers which paths are theirs. */
export function mountTerminals(server: FastifyInstance, app: App, authenticate: Authenticate): (path: string) => boolean {
  const hub = new TerminalHub(app)
  const sockets = takeWebSockets(server, app, { paths, largestFrame })
  server.addHook('preClose', () => hub.close())

  /** Who is at a window of a terminal, and goes on being asked whether they may. */
  async function askWindow(request: FastifyRequest, files = false) {
    const actor = await authenticate(app, request)
    if (!actor) throw new Problem(unauthenticated)
    const { terminal_id } = request.params as { terminal_id: string }
    checkKind(actor)
    const support = await findSupporter(app, actor, terminal_id)
    if (!support) checkMay(actor, files)
    if (!isOwnOrigin(request.headers, app.config)) throw new Problem(crossSite)
    const { asset_id } = await getTerminal(app.db, support ?? actor, terminal_id)
    if (!support && !(await mayBeAt(app.db, actor, terminal_id))) throw new Problem(accessCodeNeeded)
    sockets.check(request)
    const relay = await goingOn(hub, terminal_id)
    const { client = '' } = request.query as { client?: string }
    const allowed = unlessRefused(async (): Promise<Allowed> => {
      const now = await authenticate(app, request)
      // A proof in another tab gives the session another secret, and ends no shell: the browser has it, and who has the one before alone stays out.
      if (!now && (await sessionStands(app, actor))) return 'comes_again'
      if (now?.person_id !== actor.person_id || now.account_id !== actor.account_id) throw new Problem(unauthenticated)
      checkKind(now)
      if (support) {
        if (!(await supportStands(app, now, terminal_id))) throw new Problem(forbidden)
        return true
      }
      checkMay(now, files)
      await getAssetId(app.db, now, asset_id)
      // One that was set meanwhile is asked of who only watches, too.
      if (!(await mayBeAt(app.db, now, terminal_id))) throw new Problem(accessCodeNeeded)
      return true
    })
    // Of this person: who else knows the id of a window, as all who watch do, takes neither its place nor its keyboard.
    const named = `${actor.person_id}:${client.slice(0, 60) || request.id}`
    return { relay, actor: support ?? actor, client: named, secret: cookieOf(request, sessionCookie) ?? '', allowed }
  }

  server.get(
    '/v1/terminal-sessions/:terminal_id/socket',
    { config: { operation: 'terminal' }, exposeHeadRoute: false },
    async (request, reply) => {
      const { relay, ...visitor } = await askWindow(request)
      const { from } = request.query as { from?: string }
      sockets.accept(request, reply, (socket) => joinWindow(relay, { ...visitor, socket, from: readPlace(from) }))
    }
  )

  server.get(
    '/v1/terminal-sessions/:terminal_id/file',
    { config: { operation: 'terminal_file' }, exposeHeadRoute: false },
    async (request, reply) => {
      const sender = await askWindow(request, true)
      sockets.accept(request, reply, (socket) => hub.files.joinBrowser(sender, socket))
    }
  )

  server.get(
    '/v1/devices/terminal-file/:file_id',
    { config: { operation: 'device_terminal_file' }, exposeHeadRoute: false },
    async (request, reply) => {
      const device = await deviceOf(app, request)
      sockets.check(request)
      const { file_id } = request.params as { file_id: string }
      const transfer = hub.files.ofDevice(file_id, device.id)
      if (!transfer) throw new Problem(notFound)
      sockets.accept(request, reply, (socket) => hub.files.joinDevice(transfer, socket, deviceStands(app, request)))
    }
  )

  server.get(
    '/v1/devices/terminal/:terminal_id',
    { config: { operation: 'device_terminal' }, exposeHeadRoute: false },
    async (request, reply) => {
      const device = await deviceOf(app, request)
      sockets.check(request)
      const { terminal_id } = request.params as { terminal_id: string }
      const asked = await app.db
        .selectFrom('terminal_session')
        .select('id')
        .where('account_id', '=', device.account_id)
        .where('device_id', '=', device.id)
        .where('id', '=', terminal_id)
        .executeTakeFirst()
      if (!asked) throw new Problem(notFound)
      const relay = await goingOn(hub, terminal_id)
      sockets.accept(request, reply, (socket) => joinAgent(relay, socket, deviceStands(app, request)))
    }
  )
  return sockets.isOurs
}

async function goingOn(hub: TerminalHub, id: string): Promise<Relay> {
  const relay = await hub.relayOf(id)
  if (!relay) throw new Problem(notFound, 'This terminal session is over')
  return relay
}

function checkKind({ kind }: Actor): void {
  if (kind === 'api_key') throw new Problem(sessionNeeded)
  if (kind === 'staff') throw new Problem(viewOnly)
}

function checkMay(actor: Actor, files: boolean): void {
  const may = actorMay(actor, joinTerminal.access) && (!files || actorMay(actor, filesAccess.access))
  if (!may || actor.lacks_factor) throw new Problem(forbidden)
}

const readPlace = (text: string | undefined) => (text && /^\d{1,15}$/.test(text) ? Number(text) : undefined)
