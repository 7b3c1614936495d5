import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestCertificate } from './test-certificate.ts'
import { TestServer } from './test-server.ts'
import { buildPrograms, type Programs } from './update/test-device.ts'

// The script as a device runs it, below a folder of its own. In place of systemd stands a script that does what the unit says.

const waits = { timeout: 60_000 }
let programs: Programs
beforeAll(() => {
  programs = buildPrograms()
}, 60_000)
afterAll(() => programs[Symbol.dispose]())

const systemctl = `#!/bin/sh
echo "$*" >>"$AGENT_ROOT/systemctl.log"
case $1 in
  restart)
    trust=$(sed -n 's/^Environment=//p' "$AGENT_ROOT/etc/systemd/system/masthead-agent.service")
    [ -z "$trust" ] || eval "export $trust"
    line=$(sed -n 's/^ExecStart=//p' "$AGENT_ROOT/etc/systemd/system/masthead-agent.service")
    (while [ -d "$AGENT_ROOT/bin" ] && [ ! -e "$AGENT_ROOT/stop" ]; do eval "exec $line" & echo $! >"$AGENT_ROOT/pid"; wait $!; sleep 0.2; done) >"$AGENT_ROOT/journal" 2>&1 </dev/null &
    ;;
  disable) touch "$AGENT_ROOT/stop"; kill "$(cat "$AGENT_ROOT/pid")" ;;
esac
`

async function newMachine({ systemd = true, secure }: { systemd?: boolean; secure?: { key: string; cert: string } } = {}) {
  const server = await new TestServer(secure).start()
  for (const name of readdirSync(programs.folder)) server.files.set(`/agent/${name}`, readFileSync(join(programs.folder, name)))
  const root = mkdtempSync(join(tmpdir(), 'agent-root-'))
  const bin = join(root, 'bin')
  mkdirSync(bin)
  // What the script needs and nothing more, so that there is a systemd only where the test wants one.
  const needed = [
    'sh',
    'curl',
    'tar',
    'gzip',
    'sha256sum',
    'mkdir',
    'chmod',
    'mv',
    'rm',
    'cat',
    'dirname',
    'sed',
    'touch',
    'sleep',
    'kill',
    'id',
    'env',
  ]
  for (const name of needed) {
    const path = execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim()
    if (path.startsWith('/')) symlinkSync(path, join(bin, name))
  }
  symlinkSync(process.execPath, join(bin, 'node'))
  if (systemd) {
    writeFileSync(join(bin, 'systemctl'), systemctl)
    chmodSync(join(bin, 'systemctl'), 0o755)
  }
  // As a processor that no server has a Node.js for, unless the test says another.
  const processor = (name: string) => writeFileSync(join(bin, 'uname'), `#!/bin/sh\necho ${name}\n`, { mode: 0o755 })
  processor('riscv64')
  const more: Record<string, string> = {}
  const run = (...words: string[]) =>
    new Promise<{ status: number; out: string; err: string }>((resolve) => {
      const env = { PATH: bin, HOME: root, AGENT_ROOT: root, ...more }
      const child = execFile('sh', ['-s', '--', ...words], { env }, (error, out, err) =>
        resolve({ status: error ? Number(error.code) : 0, out, err })
      )
      child.stdin!.end(readFileSync(join(programs.folder, 'install.sh')))
    })
  return {
    server,
    root,
    run,
    processor,
    /** Variables of whoever runs the script. */
    more,
    at: (path: string) => join(root, path),
    async [Symbol.asyncDispose]() {
      if (existsSync(join(root, 'pid'))) await run('--uninstall')
      await server[Symbol.asyncDispose]()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

test('it installs the agent, sets the device up, and the agent reports, updates itself, and is gone after it was uninstalled', async () => {
  await using machine = await newMachine()
  const { server, run, at } = machine
  server.code = 'GOOD'
  const done = await run(`${server.httpUrl()}/`, 'GOOD')
  expect([done.status, done.err]).toEqual([0, ''])
  expect(done.out).toContain('This device is dev_test now')
  expect(readFileSync(at('systemctl.log'), 'utf8')).toBe('daemon-reload\nenable masthead-agent\nrestart masthead-agent\n')
  await expect.poll(() => server.lastReport()?.versions.agent, waits).toBe(programs.version)
  expect(existsSync(at('opt/masthead-agent/node_modules/@lydell/node-pty'))).toBe(true)
  await server.update('one', '0.2.0', programs.works('0.2.0'))
  await expect.poll(() => server.lastReport()?.versions.agent, waits).toBe('0.2.0')
  expect(execFileSync(at('usr/local/bin/masthead-agent'), ['version'], { encoding: 'utf8' })).toBe('0.2.0\n')

  const gone = await run('--uninstall')
  expect([gone.status, gone.err]).toEqual([0, ''])
  expect(gone.out).toContain('The agent is gone')
  for (const path of [
    'opt/masthead-agent',
    'var/lib/masthead-agent',
    'usr/local/bin/masthead-agent',
    'etc/systemd/system/masthead-agent.service',
  ])
    expect(existsSync(at(path)), path).toBe(false)
  expect(readFileSync(at('systemctl.log'), 'utf8')).toMatch(/disable --now masthead-agent\ndaemon-reload\n$/)
  await expect.poll(() => server.lives.at(-1), waits).toBe('death')
})

test('a code that is not known leaves nothing that runs, and the next try with a good one is whole', async () => {
  await using machine = await newMachine()
  const { server, run, at } = machine
  server.code = 'GOOD'
  const refused = await run(server.httpUrl(), 'BAD')
  expect(refused.status).toBe(1)
  expect(refused.err).toContain('This claim code is not known')
  expect([existsSync(at('systemctl.log')), existsSync(at('var/lib/masthead-agent/identity.json'))]).toEqual([false, false])
  server.code = 'GOOD'
  expect((await run(server.httpUrl(), 'GOOD')).status).toBe(0)
  await expect.poll(() => server.lastReport()?.versions.agent, waits).toBe(programs.version)
})

test('a server by TLS is reached by its own port alone, with the certificate of an authority of its own where that is given', async () => {
  const secure = makeTestCertificate()
  await using machine = await newMachine({ secure })
  const { server, run, at } = machine
  const authority = at('own authority.pem')
  writeFileSync(authority, secure.cert)
  server.code = 'GOOD'
  const refused = await run(server.httpUrl(), 'GOOD')
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('certificate')])
  expect((await run(server.httpUrl(), 'GOOD', at('none.pem'))).err).toBe(`There is no file ${at('none.pem')} to read\n`)
  const done = await run(server.httpUrl(), 'GOOD', authority)
  expect([done.status, done.err]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(at('var/lib/masthead-agent/identity.json'), 'utf8'))).toMatchObject({
    url: `${server.httpUrl().replace('https', 'wss')}/mqtt`,
  })
  await expect.poll(() => server.lastReport()?.versions.agent, waits).toBe(programs.version)
})

test('an authority of its own in the store of the system is trusted, as curl does', async () => {
  const secure = makeTestCertificate()
  await using machine = await newMachine({ secure })
  const { server, run, at, more } = machine
  const store = at('store of the system.pem')
  writeFileSync(store, secure.cert)
  more.SSL_CERT_FILE = store
  server.code = 'GOOD'
  const done = await run(server.httpUrl(), 'GOOD')
  expect([done.status, done.err]).toEqual([0, ''])
  expect(readFileSync(at('etc/systemd/system/masthead-agent.service'), 'utf8')).toContain(`\nEnvironment="NODE_EXTRA_CA_CERTS=${store}"\n`)
  await expect.poll(() => server.lastReport()?.versions.agent, waits).toBe(programs.version)
})

test('what is missing is said in words', async () => {
  await using machine = await newMachine({ systemd: false })
  const { server, run, at } = machine
  expect(await run()).toMatchObject({ status: 1, err: 'Say where the server is, and the claim code\n' })
  server.code = 'GOOD'
  const done = await run(server.httpUrl(), 'GOOD')
  expect([done.status, done.err]).toEqual([0, ''])
  expect(done.out).toContain(
    `There is no systemd here, which would start the agent. Have what starts programs on this device run: ${at('usr/local/bin/masthead-agent')} run`
  )
  expect(existsSync(at('etc'))).toBe(false)
  const gone = await run('--uninstall')
  expect([gone.status, gone.err]).toEqual([0, ''])
  expect(gone.out).toContain('There is no systemd here')

  server.files.delete('/agent/start.mjs')
  const failed = await run(server.httpUrl(), 'GOOD')
  expect([failed.status, failed.err]).toEqual([1, expect.stringContaining(`The agent cannot be had from ${server.httpUrl()}`)])
  server.files.set('/agent/start.mjs', readFileSync(join(programs.folder, 'start.mjs')))
  rmSync(at('bin/node'))
  const none = await run(server.httpUrl(), 'GOOD')
  expect(none.err).toContain(`The agent runs on Node.js, and there is none: ${server.httpUrl()} has none for this processor (riscv64)`)
  expect(none.err).toContain('Install Node.js 22 or later on this device, or have whoever runs')
  rmSync(at('bin/curl'))
  expect((await run(server.httpUrl(), 'GOOD')).err).toBe('Install curl first: the agent is fetched by it\n')
})

const asVersion = (version: string) => `[ "$*" != --version ] || { echo v${version}; exit 0; }\nexec "${process.execPath}" "$@"`

/** What stands in for the Node.js of a server. */
function packNode(root: string, kind: string, { version = '24.0.0', script = asVersion(version) } = {}): { name: string; bytes: Buffer } {
  const name = `node-v${version}-${kind}`
  mkdirSync(join(root, name, 'bin'), { recursive: true })
  writeFileSync(join(root, name, 'bin/node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  // Of whoever packed it, as those of nodejs.org are.
  return { name, bytes: execFileSync('tar', ['--owner=1000', '--group=1000', '-czf', '-', '-C', root, name]) }
}
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a device without Node.js gets that of the server for its processor, once, and is refused one whose digest is another', async () => {
  await using machine = await newMachine({ systemd: false })
  const { server, run, at, processor } = machine
  const { files } = server
  rmSync(at('bin/node'))
  const [arm, x64] = [packNode(at('drafts'), 'linux-arm64'), packNode(at('drafts'), 'linux-x64')]
  const sums = [x64, arm].map(({ name, bytes }) => `${sumOf(bytes)}  ${name}.tar.gz\n`).join('')
  files.set('/agent/node/SHASUMS256.txt', sums)
  files.set(`/agent/node/${arm.name}.tar.gz`, Buffer.concat([arm.bytes, Buffer.from('more')]))
  processor('aarch64')
  server.code = 'GOOD'
  const refused = await run(server.httpUrl(), 'GOOD')
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining(`not ${sumOf(arm.bytes)}. Run this again`)])
  expect(['node', 'new-node.tar.gz', arm.name].filter((name) => existsSync(at(`opt/masthead-agent/${name}`)))).toEqual([])
  expect(existsSync(at('var/lib/masthead-agent/identity.json'))).toBe(false)

  files.set(`/agent/node/${arm.name}.tar.gz`, arm.bytes)
  const done = await run(server.httpUrl(), 'GOOD')
  expect([done.status, done.err]).toEqual([0, ''])
  expect(done.out).toContain('Fetching Node.js v24.0.0 from')
  const node = at('opt/masthead-agent/node')
  const command = at('usr/local/bin/masthead-agent')
  // Whoever installs it owns it: who has the number of the one who packed it does not replace what root runs.
  expect(statSync(node).uid).toBe(process.getuid!())
  expect(readFileSync(command, 'utf8')).toContain(` "${node}" `)
  expect(execFileSync(command, ['version'], { encoding: 'utf8' })).toBe(`${programs.version}\n`)

  // What is there is not fetched again, and serves where the server has none any more.
  files.delete(`/agent/node/${arm.name}.tar.gz`)
  for (const list of [sums, undefined]) {
    if (list === undefined) files.delete('/agent/node/SHASUMS256.txt')
    server.code = 'GOOD'
    const again = await run(server.httpUrl(), 'GOOD')
    expect([again.status, again.err, again.out.includes('Fetching')]).toEqual([0, '', false])
  }
  expect((await run('--uninstall')).status).toBe(0)
  expect(existsSync(node)).toBe(false)
})

test('where the Node.js of the server does not run on a device, its own is taken', async () => {
  await using machine = await newMachine({ systemd: false })
  const { server, run, at, processor } = machine
  const { name, bytes } = packNode(at('drafts'), 'linux-x64', { script: 'exit 127' })
  server.files.set('/agent/node/SHASUMS256.txt', `${sumOf(bytes)}  ${name}.tar.gz\n`)
  server.files.set(`/agent/node/${name}.tar.gz`, bytes)
  processor('x86_64')
  server.code = 'GOOD'
  const done = await run(server.httpUrl(), 'GOOD')
  expect([done.status, done.err]).toEqual([0, ''])
  expect(done.out).toContain(`Of Node.js, that of ${server.httpUrl()} does not run here. So one of this device is looked for`)
  expect(readFileSync(at('usr/local/bin/masthead-agent'), 'utf8')).toContain(`"${at('bin/node')}"`)
  expect(existsSync(at('opt/masthead-agent/node'))).toBe(false)
})

test('where the Node.js of the server cannot be fetched or unpacked, that of the device is taken, and without one it is said which of the two', async () => {
  await using machine = await newMachine({ systemd: false })
  const { server, run, at, processor } = machine
  const { name } = packNode(at('drafts'), 'linux-x64')
  const broken = Buffer.from('no archive')
  server.files.set('/agent/node/SHASUMS256.txt', `${sumOf(broken)}  ${name}.tar.gz\n`)
  processor('x86_64')
  const install = async () => {
    server.code = 'GOOD'
    return run(server.httpUrl(), 'GOOD')
  }
  const cases: [words: string, bytes: Buffer | undefined][] = [
    [`that of ${server.httpUrl()} cannot be fetched`, undefined],
    [`that of ${server.httpUrl()} cannot be unpacked into ${at('opt/masthead-agent')}`, broken],
  ]
  for (const [words, bytes] of cases) {
    if (bytes) server.files.set(`/agent/node/${name}.tar.gz`, bytes)
    const done = await install()
    expect([done.status, done.out], done.err).toEqual([0, expect.stringContaining(`Of Node.js, ${words}`)])
    expect(readFileSync(at('usr/local/bin/masthead-agent'), 'utf8')).toContain(`"${at('bin/node')}"`)
    expect(['node', 'new-node.tar.gz', name].filter((each) => existsSync(at(`opt/masthead-agent/${each}`)))).toEqual([])
  }
  rmSync(at('bin/node'))
  const none = await install()
  expect([none.status, none.err]).toEqual([1, expect.stringContaining(`there is none: that of ${server.httpUrl()} cannot be unpacked`)])
})
