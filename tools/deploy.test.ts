import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSource } from './sources.ts'

const root = join(import.meta.dirname, '..')

// What is shipped in deploy/, against what it is about. Where a program that reads one of the files is at hand, it is asked as well.

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const ask = (program: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(root, 'deploy'), encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

// Every figure that /metrics has, and no other, is in this table: metering/meter-figures.test.ts.
const figures = new Map(
  [...readSource('docs/operations/metrics.md').matchAll(/^\| `(masthead_\w+)` \| \w+, \w+ \|([^|]*)\|/gm)].map(([, name, labels]) => [
    name,
    labels!,
  ])
)

/** What is asked of figures, and what of it there is not: by a name, or by a label that its figure has not. */
function askedIn(text: string) {
  const asked = [...text.matchAll(/\b(masthead_\w+?)(_count|_sum|_bucket)?(?:\{([^}]*)\})?(?=[[\s)])/g)]
  const wrong = asked.filter(([, name, , matchers = '']) => {
    const labels = figures.get(name!)
    return labels === undefined || [...matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].some(([, label]) => !labels.includes(`\`${label}\``))
  })
  return { names: asked.map(([, name]) => name!), wrong: wrong.map(([all]) => all) }
}

// promtool check metrics: these two are for what Prometheus itself knows as a histogram or a summary.
test('no figure has a label that is Prometheus’ own', () =>
  expect([...figures].filter(([, labels]) => /`(le|quantile|instance|job)`/.test(labels))).toEqual([]))

describe('alert rules', () => {
  test('ask for figures that there are, by labels that they have', () => {
    const { names, wrong } = askedIn(readSource('deploy/prometheus/masthead.rules.yml'))
    expect(names.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  })

  test.skipIf(!has('promtool'))('are right to promtool, and their examples come out', () => {
    for (const args of [
      ['check', 'rules', 'prometheus/masthead.rules.yml'],
      ['test', 'rules', 'prometheus/masthead.rules.test.yml'],
      ['check', 'config', 'prometheus/prometheus.yml'],
    ])
      expect(ask('promtool', args)).toMatchObject({ status: 0 })
  })
})

describe('the dashboard', () => {
  type Panel = { id: number; title: string; type: string; gridPos: Record<'x' | 'y' | 'w' | 'h', number>; targets?: { expr: string }[] }
  const { panels } = JSON.parse(readSource('deploy/prometheus/masthead.dashboard.json')) as { panels: Panel[] }
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  test('shows figures that there are, by labels that they have, and leaves out none but how much was used beyond limits', () => {
    const found = expressions.map((expr) => ({ ...askedIn(expr), expr }))
    expect(found.flatMap(({ wrong }) => wrong)).toEqual([])
    const strange = found.flatMap(({ names, expr }) => {
      const labels = names.map((name) => figures.get(name)).join() + '`le` `instance`'
      const groups = [...expr.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(', '))
      return groups.filter((label) => !labels.includes(`\`${label}\``)).map((label) => `${label}: ${expr}`)
    })
    expect(strange).toEqual([])
    const shown = new Set(found.flatMap(({ names }) => names))
    expect([...figures.keys()].filter((name) => !shown.has(name!))).toEqual([
      'masthead_meter_status_total',
      'masthead_enforcement_overshoot_bytes',
      // Known once a night, and an alert of its own.
      'masthead_ledger_differences',
    ])
  })

  test('has each panel once, and none over another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`)
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  test.skipIf(!has('promtool'))('asks in words that Prometheus understands', () => {
    const rules = expressions.map((expr, at) => ({ record: `panel:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
    const file = join(mkdtempSync(join(tmpdir(), 'masthead-dashboard-')), 'rules.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    const answer = ask('promtool', ['check', 'rules', file])
    rmSync(dirname(file), { recursive: true })
    expect(answer).toMatchObject({ status: 0 })
  })
})

describe('units', () => {
  test('give each role shares, and figures at a port of its own', () => {
    const roles = ['api', 'broker', 'meter', 'worker']
    const folders = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.d'))
    expect(folders.toSorted()).toEqual(roles.map((role) => `masthead@${role}.service.d`))
    const ports = roles.map((role) => /^MASTHEAD_METRICS_PORT=(\d+)$/m.exec(readSource(`deploy/systemd/${role}.env`))?.[1])
    expect(new Set(ports).size).toBe(roles.length)
    const install = readSource('docs/operations/install.md')
    for (const port of ports) {
      expect(readSource('deploy/prometheus/prometheus.yml')).toContain(`127.0.0.1:${port}`)
      expect(install).toContain(`http://127.0.0.1:${port}/readyz`)
    }
    const [enabled] = /systemctl enable --now .*/.exec(install)!
    expect(enabled.match(/masthead@\w+/g)!.toSorted()).toEqual(roles.map((role) => `masthead@${role}`))
    for (const role of roles) {
      const shares = readSource(`deploy/systemd/masthead@${role}.service.d/shares.conf`)
      for (const share of ['CPUWeight', 'MemoryHigh', 'MemoryMax']) expect(shares).toMatch(new RegExp(`^${share}=\\d+`, 'm'))
    }
  })

  test('a command has the settings of the units as systemd reads them, their user, and the place of its caller', () => {
    const dir = mkdtempSync(join(tmpdir(), 'masthead-units-'))
    const settings = join(dir, 'masthead.env')
    writeFileSync(
      settings,
      '# A word: A=b\nDATABASE_URL="postgres://a b@c/d"\nMASTHEAD_MAIL_FROM=Masthead <no-reply@example.com>\nMASTHEAD_HOST=$HOME\n'
    )
    // In place of the one that only root may call.
    writeFileSync(join(dir, 'setpriv'), '#!/bin/sh\necho "$@"\nenv\npwd\n')
    chmodSync(join(dir, 'setpriv'), 0o755)
    const env = { ...process.env, SETTINGS: settings, RELEASE: root, PATH: `${dir}:${process.env.PATH}` }
    const { stdout } = spawnSync(join(root, 'deploy/systemd/masthead'), ['gateway', 'add', 'a b', '192.0.2.1'], {
      cwd: dir,
      env,
      encoding: 'utf8',
    })
    writeFileSync(join(dir, 'meter.env'), 'MASTHEAD_HOST=192.0.2.10\n')
    const asUnit = (ROLE: string) =>
      spawnSync(join(root, 'deploy/systemd/masthead'), ['doctor'], { cwd: dir, env: { ...env, ROLE }, encoding: 'utf8' }).stdout.split('\n')
    expect(asUnit('meter')).toEqual(
      expect.arrayContaining(['MASTHEAD_ROLES=meter', 'MASTHEAD_HOST=192.0.2.10', 'DATABASE_URL=postgres://a b@c/d'])
    )
    expect(asUnit('worker')).toEqual(expect.arrayContaining(['MASTHEAD_ROLES=worker', 'MASTHEAD_HOST=$HOME']))
    rmSync(dir, { recursive: true })
    const lines = stdout.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'DATABASE_URL=postgres://a b@c/d',
        'MASTHEAD_MAIL_FROM=Masthead <no-reply@example.com>',
        'MASTHEAD_HOST=$HOME',
        `INIT_CWD=${dir}`,
        root,
      ])
    )
    expect(lines[0]).toMatch(/^--reuid=masthead --regid=masthead .* apps\/server\/src\/command\.ts gateway add a b 192\.0\.2\.1$/)
  })

  // systemd reads what is in /etc/masthead as root; the process may not.
  test('name no file that their user cannot read', () => {
    for (const role of ['api', 'broker', 'masthead', 'meter', 'worker'])
      expect(readSource(`deploy/systemd/${role}.env`)).not.toMatch(/^#?\w+=\/etc\/masthead/m)
  })

  // Node's `os.networkInterfaces` throws without it: no terminal of a CORE device would open.
  test('let the process ask which addresses the machine has', () =>
    expect(readSource('deploy/systemd/masthead@.service')).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m))

  test.skipIf(!has('systemd-analyze'))('are right to systemd, with what each role adds', () => {
    const dir = mkdtempSync(join(tmpdir(), 'masthead-units-'))
    cpSync(join(root, 'deploy/systemd'), dir, { recursive: true })
    // Nothing is installed here: this checkout has the program that the units start.
    writeFileSync(join(dir, 'masthead@.service'), readSource('deploy/systemd/masthead@.service').replaceAll('/opt/masthead', root))
    const units = ['api', 'worker', 'meter', 'broker'].map((role) => `masthead@${role}.service`)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...units], {
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${dir}:` },
      encoding: 'utf8',
    })
    rmSync(dir, { recursive: true })
    expect([status, stderr]).toEqual([0, ''])
  })

  test.skipIf(!has('systemd-analyze'))('leave little to whoever breaks in, as systemd counts it', () => {
    const { status, said } = ask('systemd-analyze', ['security', '--offline=true', '--threshold=20', 'systemd/masthead@.service'])
    expect(status, said.slice(-200)).toBe(0)
  })
})

describe('the compose file', () => {
  test('takes from .env what example.env has, and leaves out no role', () => {
    const compose = readSource('deploy/container/compose.yaml')
    const wanted = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
    const given = [...readSource('deploy/container/example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
    expect([...wanted].toSorted()).toEqual(given.toSorted())
    for (const role of ['api', 'worker', 'meter', 'broker']) expect(compose).toContain(`MASTHEAD_ROLES: ${role}`)
  })

  test('keeps files where all that write or read them see the same ones', () => {
    const services = readSource('deploy/container/compose.yaml').split(/^ {2}(?=\w+:\n)/m)
    for (const role of ['api', 'worker', 'broker'])
      expect(services.find((text) => text.startsWith(`${role}:`))).toContain("volumes: ['files:/var/lib/masthead']")
  })

  // `doctor` would say so of what the file itself has set up.
  test('its database is that of a role which is no superuser', () => {
    const compose = readSource('deploy/container/compose.yaml')
    expect(compose).not.toContain('POSTGRES_USER')
    expect(compose).toContain('./database.sql:/docker-entrypoint-initdb.d/')
    const [, role, , name] = /DATABASE_URL: postgres:\/\/(\w+):\$\{(\w+)\}@database:5432\/(\w+)/.exec(compose)!
    const made = readSource('deploy/container/database.sql')
    expect(made).toContain(`create role ${role} login password :'password';`)
    expect(made).toContain(`create database ${name} owner ${role} `)
    expect(made).not.toContain('superuser;')
  })

  // What nothing uses is not started: an address that the product reads brings its service.
  test('starts what the product uses, and nothing else', () => {
    const services = [
      ...readSource('deploy/container/compose.yaml')
        .split('\nservices:')[1]!
        .matchAll(/^ {2}(\w+):\n {4}/gm),
    ].map(([, name]) => name)
    expect(services).toEqual(['proxy', 'api', 'worker', 'meter', 'broker', 'database', 'storage'])
    expect(readSource('docs/operations.md')).not.toMatch(/`REDIS_URL`/)
  })

  test('its store has the key, the port and the bucket by which the API and the worker ask for it, and a version', () => {
    const compose = readSource('deploy/container/compose.yaml')
    const service = (name: string) => compose.split(/^ {2}(?=\w+:\n)/m).find((text) => text.startsWith(`${name}:`))!
    const [, port] = /S3_ENDPOINT: http:\/\/storage:(\d+)\n/.exec(compose)!
    const [, bucket] = /S3_BUCKET: (\w+)\n/.exec(compose)!
    const [, key] = /S3_ACCESS_KEY_ID: (\w+)\n/.exec(compose)!
    for (const said of [
      `mkdir -p /data/${bucket} `,
      `ROOT_ACCESS_KEY: ${key}\n`,
      'ROOT_SECRET_KEY: ${S3_SECRET_ACCESS_KEY:?',
      `:${port}/health`,
    ])
      expect(service('storage')).toContain(said)
    expect(service('storage')).toMatch(/image: \S+:v\d+\.\d+\.\d+\n/)
    for (const role of ['api', 'worker']) {
      expect(service(role)).toContain('<<: [*environment, *storage]')
      expect(service(role)).toContain('storage: { condition: service_healthy }')
    }
  })

  test.skipIf(!has('docker-compose'))('is right to compose', () => {
    const names = [...readSource('deploy/container/example.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
    const env = { ...process.env, ...Object.fromEntries(names.map((name) => [name, 'given'])) }
    const { status, stderr } = spawnSync('docker-compose', ['-f', 'deploy/container/compose.yaml', 'config', '--quiet'], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
  })
})

describe('proxies', () => {
  test.skipIf(!has('caddy'))('Caddy takes its files', () => {
    for (const file of ['caddy/Caddyfile', 'caddy/Caddyfile-path', 'caddy/Caddyfile-tunnels'])
      expect(ask('caddy', ['adapt', '--adapter', 'caddyfile', '--config', file])).toMatchObject({ status: 0 })
  })

  test('nginx keeps nothing back and says who asks, for whom, and how', () => {
    const proxy = readSource('deploy/nginx/masthead-proxy.conf')
    for (const line of [
      'proxy_buffering off;',
      'proxy_set_header Host $host;',
      'proxy_set_header X-Forwarded-For $remote_addr;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
    ])
      expect(proxy).toContain(line)
  })
})
