import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { enrol } from '@masthead/agent/identity'
import { TestEngine } from '@masthead/agent/test-engine'
import { version } from '@masthead/agent/version'
import { processesBelow } from '@masthead/testkit/process-figures'
import type { Call } from './client.ts'

const root = join(import.meta.dirname, '../..')
const endsWithin = 20_000 // ms

export type AgentProcess = Awaited<ReturnType<typeof startAgentProcess>>

/** Runs a real agent as a process of its own, as the device of an asset, with an engine that has these images. `url` is where it finds the server from now on. */
export async function startAgentProcess(call: Call, { url, asset, images }: { url: string; asset: string; images: readonly string[] }) {
  const engine = await new TestEngine().start()
  for (const image of images) engine.registry.add(image)
  const dir = mkdtempSync(join(tmpdir(), 'bench-agent-'))
  const { code } = await call<{ code: string }>('POST', `assets/${asset}/alpon/claim-code`, {})
  const host = { host_name: 'bench', arch: arch(), agent_version: version }
  await enrol(join(dir, 'identity.json'), { server: url, code, host })
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  const start = () => {
    const run = ['--disable-warning=ExperimentalWarning', 'apps/agent/src/main.ts', 'run', '--dir', dir, '--engine', engine.socket]
    const started = spawn(process.execPath, run, { cwd: root, stdio: 'ignore' })
    ended = new Promise((resolve) => started.once('exit', resolve))
    child = started
  }
  start()
  return {
    asset,
    start,
    /** As a machine that loses its power: kill -9. */
    kill: async () => {
      child?.kill('SIGKILL')
      await ended
    },
    /** What it has started and what still runs. */
    children: () => (child?.pid === undefined ? [] : processesBelow(child.pid).filter(({ pid }) => pid !== child?.pid)),
    stop: async () => {
      child?.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), endsWithin)
      await ended
      clearTimeout(late)
      await engine[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
