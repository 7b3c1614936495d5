import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { WantedAgent } from '@masthead/contract/devices/agent/update'
import { ask } from '../ask.ts'
import { programName, programOf, versionsAt } from './standing.ts'

const waits = 300_000 // ms
const mostBytes = 20_000_000

/** Brings a version from the server into a folder of its own, once it is what was promised and runs here. Fails with words. */
export async function download(
  home: string,
  current: string,
  server: string,
  { version, sha256 }: WantedAgent,
  onPercent: (percent: number) => void = () => {}
): Promise<void> {
  for (const name of versionsAt(home)) if (name !== current) rmSync(join(home, 'versions', name), { recursive: true, force: true })
  const bytes = await ask(`${server.replace(/\/$/, '')}/agent/${programName}`, {
    waits,
    most: mostBytes,
    onPart: (received, total) => total && onPercent(Math.min(100, Math.floor((100 * received) / total))),
  })
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (sum !== sha256) throw new Error(`What the server sent is not version ${version}: its checksum is ${sum}`)
  const draft = join(home, 'versions', `${version}.new`)
  const program = join(draft, programName)
  mkdirSync(draft, { recursive: true })
  writeSafe(program, bytes)
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'version'], { timeout: 60_000 }).catch((error: unknown) => {
    throw new Error(`Version ${version} does not run on this device: ${wordsOf(error)}`)
  })
  if (stdout.trim() !== version) throw new Error(`What the server sent says that it is version ${stdout.trim().slice(0, 40)}`)
  renameSync(draft, dirname(programOf(home, version)))
  sync(join(home, 'versions'))
}

function writeSafe(path: string, bytes: Buffer): void {
  const file = openSync(path, 'w', 0o644)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  sync(dirname(path))
}

function sync(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const wordsOf = (error: unknown) =>
  ((error as { stderr?: string }).stderr || (error as Error).message).trim().split('\n').slice(-1)[0]!.slice(0, 200)
