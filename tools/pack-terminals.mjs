// What a terminal needs on a device, for each processor that devices have: it comes with a program for each, and npm installs that of this machine alone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const kinds = ['linux-x64', 'linux-arm64']
/** Where packets are dropped nothing answers: a build waits so long for it and no longer. What did not come is said, and devices take it from npm. */
const waits = 12_000 // ms

const tar = (...words) => spawnSync('tar', words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

/** Brings the archive of a package, as the registry has it, into a folder, within so many ms in all. */
export function fetchPackage(root, spec, into, within = waits) {
  // What `npm start` was given is for itself.
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (/^npm_config_(workspace|include_workspace|dry_run)/i.test(name)) delete env[name]
  const words = ['pack', spec, '--pack-destination', into, '--ignore-scripts', '--prefer-offline', '--fetch-retries=0']
  // Killed: npm itself, asked to end, may wait on for a connection.
  spawnSync('npm', [...words, `--fetch-timeout=${within}`], { cwd: root, env, stdio: 'ignore', timeout: within, killSignal: 'SIGKILL' })
}

/**
 * Packs `terminal-KIND.tgz` into a folder, for devices of the kind of this machine, and with `others` for all kinds. What is not packed is said: such
 * devices take it from npm. `fetch`: as `fetchPackage`.
 */
export function packTerminals(root, folder, { others = false, fetch = fetchPackage } = {}) {
  for (const kind of new Set([`${process.platform}-${process.arch}`, ...(others ? kinds : [])])) {
    const archive = join(folder, `terminal-${kind}.tgz`)
    const draft = mkdtempSync(join(tmpdir(), 'terminal-'))
    try {
      const why = packTerminal(root, { kind, archive, draft, fetch })
      if (why === undefined) continue
      rmSync(archive, { force: true })
      console.log(`Devices of the kind ${kind} take what a terminal needs from npm: ${why}`)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
}

/** Undefined: it is packed. Else why not. */
function packTerminal(root, { kind, archive, draft, fetch }) {
  const all = 'node_modules/@lydell/node-pty'
  const own = `${all}-${kind}`
  const pack = (from) => (tar('-czf', archive, '-C', from, all, own) ? undefined : 'it could not be packed here')
  if (existsSync(join(root, own))) return pack(root)
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[own] ?? {}
  if (!version) return 'there is none'
  fetch(root, `@lydell/node-pty-${kind}@${version}`, draft)
  const fetched = readdirSync(draft).find((name) => name.endsWith('.tgz'))
  if (!fetched) return 'it did not come from the registry'
  const digest = createHash('sha512').update(readFileSync(join(draft, fetched)))
  if (`sha512-${digest.digest('base64')}` !== integrity) return 'what came from the registry is not what package-lock.json names'
  mkdirSync(join(draft, own), { recursive: true })
  // With -o it is ours, whoever packed it.
  if (!tar('-xzof', join(draft, fetched), '-C', join(draft, own), '--strip-components=1')) return 'it could not be unpacked here'
  cpSync(join(root, all), join(draft, all), { recursive: true, dereference: true })
  return pack(draft)
}
