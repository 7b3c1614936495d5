import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Restarts } from './kernel/restarts.ts'

const patience = 8000 // ms to end by itself before it is killed

export type Child = {
  ready: Promise<void>
  isUp: () => boolean
  /** How often in a row it ended unexpectedly, once that is too often to call it up; else 0. */
  tooOften: () => number
  /** While it runs. */
  pid: () => number | undefined
  /** The child's answer to a question, or undefined when it has none within so many milliseconds, a second unless given. */
  ask: (question: string, within?: number) => Promise<string | undefined>
  /** Hands a socket over, with what belongs to it; false while it is not up. */
  give: (message: object, socket: Socket) => boolean
  stop: () => Promise<void>
}

type Start = {
  name: string
  module: string
  args?: readonly string[]
  env?: Record<string, string>
  log: Logger
  nodeArgs?: readonly string[]
}

/** Runs a module as a process of its own and starts it again when it ends. It says `{ ready: true }` once it is up. */
export function startChild({ name, module, args = [], env = {}, log, nodeArgs = [] }: Start): Child {
  let child: ChildProcess | undefined
  let up = false
  let stopping = false
  const restarts = new Restarts()
  let firstReady: () => void
  const ready = new Promise<void>((resolve) => (firstReady = resolve))

  const again = () => {
    if (stopping) return
    setTimeout(() => !stopping && start(), restarts.ended())
  }
  const start = () => {
    try {
      child = launch()
    } catch (error) {
      log.error({ err: error, child: name }, 'a process could not be started and is tried again')
      again()
    }
  }
  const launch = () => {
    const child = fork(fileURLToPath(new URL(module, import.meta.url)), args, {
      env: { ...process.env, ...env },
      // As many threads for V8 as there are cores beside ours: four that collect garbage on two cores keep the program itself waiting.
      execArgv: ['--disable-warning=ExperimentalWarning', '--v8-pool-size=0', ...nodeArgs],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // In a session of its own, so that Ctrl-C in a terminal ends us alone and we end it when its turn comes. It ends with us all the same.
      detached: true,
    })
    child.on('message', (message: { ready?: boolean }) => {
      if (!message.ready) return
      up = true
      restarts.started()
      firstReady()
    })
    child.on('error', (error) => {
      log.error(
        { err: error, child: name },
        child.pid ? 'a message could not be sent to a process' : 'a process could not be started and is tried again'
      )
      if (!child.pid) again() // then it does not end
    })
    child.once('exit', (code, signal) => {
      up = false
      if (stopping) return
      log.warn({ child: name, code, signal }, 'a process ended unexpectedly and is started again')
      again()
    })
    return child
  }
  start()

  return {
    ready,
    isUp: () => up,
    tooOften: () => restarts.tooOften(),
    pid: () => (up ? child?.pid : undefined),
    ask: (question, within = 1000) =>
      new Promise((resolve) => {
        if (!child?.connected || !up) return resolve(undefined)
        const asked = child
        const answer = (text?: string) => {
          clearTimeout(timer)
          asked.off('message', heardBack)
          resolve(text)
        }
        const timer = setTimeout(answer, within)
        const heardBack = (message: Record<string, unknown>) => {
          if (typeof message[question] === 'string') answer(message[question])
        }
        asked.on('message', heardBack)
        asked.send({ ask: question })
      }),
    give: (message, socket) => {
      if (!child?.connected || !up) return false
      child.send(message, socket)
      return true
    },
    stop: async () => {
      stopping = true
      if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child!.once('exit', resolve))
      child.kill('SIGTERM')
      const kill = setTimeout(() => child!.kill('SIGKILL'), patience)
      await gone
      clearTimeout(kill)
    },
  }
}
