import type { Command, ReportedState } from '@masthead/contract/devices/agent/messages'
import { answerCommand } from './commands.ts'
import { keepContainers } from './containers/containers.ts'
import type { Engine } from './engine/engine.ts'
import { bootedAt, readHost, readSystem } from './host/host.ts'
import { readInterfaces } from './host/interfaces.ts'
import { vitalsReader, type Places } from './host/vitals.ts'
import { openLink, type Login } from './link.ts'
import { followLogs } from './follow-logs.ts'
import { fetchDesired } from './fetch-desired.ts'
import { keepAuthority } from './identity.ts'
import { networkMemoryBeside } from './network/network-memory.ts'
import { keepNetwork } from './network/network.ts'
import { reachServer } from './network/reach-server.ts'
import { openNotes } from './notes.ts'
import { keepOwnLog } from './own-log.ts'
import { registryLoginFor } from './registry-login.ts'
import { keepTerminals } from './terminal/terminals.ts'
import { keepTunnels } from './tunnel/tunnels.ts'
import { keepUpdates } from './update/updates.ts'
import { version } from './version.ts'

type Given = {
  login: Login & { server: string }
  engine: Engine
  places: Places
  /** The file of what is remembered. */
  notesPath: string
  /** The file of who it is, where there is one. */
  identityPath?: string
  now?: () => Date
  random?: () => number
  say: (words: string) => void
  reboot: () => void
  /** Where versions of the agent are kept, if they are. */
  home?: string | undefined
  /** Ends the process, to be started again. */
  restart?: () => void
  vitalsEvery?: number
  reportsEvery?: number
  looksEvery?: number
  /** How long a change of the network is on trial, ms. */
  trialLasts?: number
  /** By which it reckons how long containers have run, ms. */
  runClock?: (() => number) | undefined
}

/** Two reports are at least so far apart. */
const apart = 1000 // ms
/** What is not stored by then after a change of the network is sent on a new connection. */
const renewAfter = 10_000 // ms

/** Everything that the agent does, until it is stopped. */
export function startAgent(given: Given) {
  const { login, engine, places, notesPath, reboot, now = () => new Date(), random = Math.random, home, restart = () => {} } = given
  const { vitalsEvery = 30_000, reportsEvery = 60_000, looksEvery = 300_000 } = given
  const ownLog = keepOwnLog(given.say, now)
  const { say } = ownLog
  const notes = openNotes(notesPath)
  const readVitals = vitalsReader(places)
  const started_at = now().toISOString()
  const system = readSystem()
  let seq = 0
  let [looking, lookAgain] = [false, false]
  /** Why what is wanted is not known. */
  let trouble = ''
  let stopped = false
  let [due, renewal]: (NodeJS.Timeout | undefined)[] = []

  const terminals = keepTerminals({ login, say })
  const tunnels = keepTunnels({ login, say })
  const containers = keepContainers({
    engine,
    notes,
    loginFor: (image) => registryLoginFor(image, login),
    now,
    random,
    runClock: given.runClock,
    onChange: reportSoon,
  })
  const network = keepNetwork({
    notes,
    memoryPath: networkMemoryBeside(notesPath),
    reach: () => reachServer(login),
    interfaces: () => readInterfaces(places),
    now,
    say,
    onChange: reportSoon,
    onSettled: () => {
      clearTimeout(renewal)
      renewal = setTimeout(() => link.waiting() > 0 && link.renew(), renewAfter)
    },
    ...(given.trialLasts && { lasts: given.trialLasts }),
  })
  const updates = keepUpdates({ home, server: login.server, say, now, onChange: reportSoon, restart })
  const link = openLink({
    login,
    random,
    now,
    onLook: () => void look(),
    onCommand: (command) => void answer(command),
    onUp: () => {
      void look()
      report()
      sendVitals()
    },
    onAway: () => void look(),
    onStored: (section) => {
      if (section === 'agent') updates.reported()
    },
    say,
  })
  const logs = followLogs({ engine, now, send: (parts) => link.send('log', parts, { replaces: true }) })
  containers.start()
  network.start()
  void look()
  const vitalsTimer = setInterval(sendVitals, vitalsEvery)
  const reportTimer = setInterval(reportSoon, reportsEvery)
  const lookTimer = setInterval(() => void look(), looksEvery)

  function sendVitals() {
    link.send('vitals', readVitals(now()))
  }

  function reportSoon() {
    due ??= setTimeout(report, apart)
  }

  function report() {
    clearTimeout(due)
    due = undefined
    const { engine: engineVersion, revision: _, ...of } = containers.report()
    const state: ReportedState = {
      at: now().toISOString(),
      seq: ++seq,
      started_at,
      revision: notes.get().desired?.revision ?? 0,
      versions: { agent: version, ...system, engine: engineVersion },
      host: readHost(places),
      booted_at: bootedAt(now()),
      interfaces: readInterfaces(places),
      update: updates.report(),
      ...of,
    }
    link.send('agent', state, { replaces: true })
    link.send('network', network.report(), { replaces: true })
  }

  /**
   * One question at a time, so that no older answer comes last. It asks when it starts, when it is asked to, when it connects, when it cannot, and now
   * and then: the server may answer where its broker does not.
   */
  async function look(): Promise<void> {
    if (looking) return void (lookAgain = true)
    looking = true
    await ask().catch((error: unknown) => say(`What is wanted is not taken over: ${(error as Error).message}`))
    looking = false
    if (!lookAgain) return
    lookAgain = false
    return look()
  }

  async function ask() {
    const desired = await fetchDesired(login).catch((error: unknown) => {
      const { message } = error as Error
      if (message !== trouble) say(`What is wanted is not known: ${message}`)
      trouble = message
    })
    if (!desired || stopped) return
    trouble = ''
    void updates.want(desired.agent ?? null)
    if (desired.mqtts_ca !== undefined) trust(desired.mqtts_ca ?? undefined)
    if (desired.revision === notes.get().desired?.revision) return
    say(`Wanted: revision ${desired.revision}, ${desired.containers.length} containers`)
    containers.setDesired(desired)
    network.look()
    reportSoon()
  }

  function trust(ca: string | undefined) {
    link.trust(ca)
    try {
      if (given.identityPath !== undefined) keepAuthority(given.identityPath, login, ca)
    } catch (error) {
      say(`The broker's certificate is not kept: ${(error as Error).message}`)
    }
  }

  async function answer(command: Command) {
    if (command.do === 'follow') return logs.follow(command.container, command.seconds)
    if (command.do === 'terminal') return terminals.open(command.session, command)
    if (command.do === 'tunnel') return tunnels.open(command)
    if (command.do === 'scan') return void network.scan().catch((error: unknown) => say(`Wi-Fi: ${(error as Error).message}`))
    const done = await answerCommand(command, { engine, notes, ownLog: ownLog.last })
    if (!done) return
    link.send('answer', done.answer)
    if (!done.next) return
    say('The server asked for a reboot')
    await link.emptied(5000)
    reboot()
  }

  return {
    link,
    terminals,
    tunnels,
    stop: async (): Promise<void> => {
      stopped = true
      clearInterval(vitalsTimer)
      clearInterval(reportTimer)
      clearInterval(lookTimer)
      clearTimeout(due)
      clearTimeout(renewal)
      terminals.stop()
      logs.stop()
      tunnels.stop()
      await Promise.all([containers.stop(), network.stop()])
      clearTimeout(due)
      clearTimeout(renewal)
      await link.stop()
    },
  }
}
