import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { arch, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startAgent } from './agent.ts'
import { openEngine } from './engine/engine.ts'
import { networkMemoryBeside, openNetworkMemory } from './network/network-memory.ts'
import { realPlaces } from './host/vitals.ts'
import { enrol, readIdentity } from './identity.ts'
import { version } from './version.ts'

const words = `masthead-agent enrol --server URL --code CODE   uses a claim code, once
  --certificate FILE --key FILE                 by which it signs in to the broker, in place of a token
masthead-agent run                              runs until it is stopped
masthead-agent version

--dir DIR        where it keeps who it is (/var/lib/masthead-agent)
--engine SOCKET  of Docker or podman`

const sockets = ['/var/run/docker.sock', '/run/podman/podman.sock']
/** It ends by then whatever it waits for. */
const stopsWithin = 15_000 // ms
const say = (text: string) => console.log(text)

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      server: { type: 'string' },
      code: { type: 'string' },
      certificate: { type: 'string' },
      key: { type: 'string' },
      dir: { type: 'string', default: '/var/lib/masthead-agent' },
      engine: { type: 'string' },
      // Where versions of it are kept: said by what starts them.
      home: { type: 'string' },
    },
  })
  const [identityPath, notesPath] = [join(values.dir, 'identity.json'), join(values.dir, 'notes.json')]
  if (positionals[0] === 'version') return say(version)
  if (positionals[0] === 'enrol' && values.server && values.code) {
    if (!values.certificate !== !values.key) throw new Error('Give both the certificate and its key')
    const certificate = values.certificate && values.key ? { cert: resolve(values.certificate), key: resolve(values.key) } : undefined
    const host = { host_name: hostname(), arch: arch(), agent_version: version }
    // What was wanted of the device that it was before is nothing for this one.
    rmSync(notesPath, { force: true })
    openNetworkMemory(networkMemoryBeside(notesPath)).change({ last: null, pin: null, esim: null })
    const { device_id } = await enrol(identityPath, { server: values.server, code: values.code, host, ...(certificate && { certificate }) })
    return say(`This device is ${device_id} now`)
  }
  if (positionals[0] !== 'run') throw new Error(words)
  const identity = readIdentity(identityPath)
  if (!identity) throw new Error(`This device is not enrolled: there is no ${identityPath}`)
  const agent = startAgent({
    login: identity,
    engine: openEngine(values.engine ?? sockets.find((path) => existsSync(path)) ?? sockets[0]!),
    places: realPlaces,
    notesPath,
    identityPath,
    say,
    home: values.home,
    restart: () => stop(),
    reboot: () => void spawn('systemctl', ['reboot'], { stdio: 'inherit' }).on('error', (error) => say(error.message)),
  })
  const stop = () => {
    setTimeout(() => process.exit(0), stopsWithin).unref()
    void agent.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
