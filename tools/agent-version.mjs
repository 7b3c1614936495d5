// npm run agent:version: where what is built of the agent is not what its version was given to, it is given a newer one. It is written into the sources, so that
// every build of them says the same, without git, and whatever a clock or the times of files say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, readVersion, sumOf, versionFile } from './build-agent.mjs'

const begin = Date.UTC(2026, 0, 1) / 1000
const day = 86_400 // seconds

/** Like `0.330.44012`: the day since 2026 and its second (UTC). Always newer than the one before, also where the clock was set back. `now`: ms since 1970. */
export function newerVersion(before, now) {
  const [major, ...then] = before.split('.').map(Number)
  const at = Math.max(Math.floor(now / 1000) - begin, then[0] * day + then[1] + 1)
  return `${major}.${Math.floor(at / day)}.${at % day}`
}

const write = (version, sum) =>
  writeFileSync(
    versionFile,
    `/** Of the agent. npm run agent:version writes this file. */
export const version = '${version}'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '${sum}'
`
  )

function renew() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-version-'))
  const sum = ({ version }) => {
    const program = join(folder, 'agent.mjs')
    bundle('main.ts', program)
    return sumOf(readFileSync(program, 'utf8'), version)
  }
  try {
    const before = readVersion()
    if (sum(before) === before.sum) return
    const version = newerVersion(before.version, Date.now())
    write(version, before.sum)
    write(version, sum({ version }))
    console.log(`The agent has changed: it is version ${version} now`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) renew()
