import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built console, and the agent that devices get with it. */
export type BuiltDirs = { consoleDir: string; agentDir: string }

export function builtDirs(given: string | undefined): BuiltDirs {
  const consoleDir = given ? resolve(given) : fileURLToPath(new URL('../../../console/dist', import.meta.url))
  return { consoleDir, agentDir: join(consoleDir, 'agent') }
}
