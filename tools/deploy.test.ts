import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSource } from './sources.ts'

const root = join(import.meta.dirname, '..')

// What is shipped in deploy/, against what it is about. Where a program that reads one of the files is at hand, it is asked as well.

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const ask = (program: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(root, 'deploy'), encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

describe('alert rules', () => {
  const figures = new Map(
    [...readSource('docs/operations/metrics.md').matchAll(/^\| `(masthead_\w+)` \| \w+, \w+ \|([^|]*)\|/gm)].map(([, name, labels]) => [
      name,
      labels!,
    ])
  )

  test('ask for figures that there are, by labels that they have', () => {
    const rules = readSource('deploy/prometheus/masthead.rules.yml')
    const asked = [...rules.matchAll(/\b(masthead_\w+?)(_count|_sum|_bucket)?(?:\{([^}]*)\})?(?=[[\s)])/g)]
    expect(asked.length).toBeGreaterThan(10)
    const wrong = asked.filter(([, name, , matchers = '']) => {
      const labels = figures.get(name!)
      return labels === undefined || [...matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].some(([, label]) => !labels.includes(`\`${label}\``))
    })
    expect(wrong.map(([text]) => text)).toEqual([])
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

describe('units', () => {
  test('give each role shares, and figures at a port of its own', () => {
    const roles = ['api', 'meter', 'worker']
    const folders = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.d'))
    expect(folders.toSorted()).toEqual(roles.map((role) => `masthead@${role}.service.d`))
    const ports = roles.map((role) => /^MASTHEAD_METRICS_PORT=(\d+)$/m.exec(readSource(`deploy/systemd/${role}.env`))?.[1])
    expect(new Set(ports).size).toBe(3)
    for (const port of ports) expect(readSource('deploy/prometheus/prometheus.yml')).toContain(`127.0.0.1:${port}`)
    for (const role of roles) {
      const shares = readSource(`deploy/systemd/masthead@${role}.service.d/shares.conf`)
      for (const share of ['CPUWeight', 'MemoryHigh', 'MemoryMax']) expect(shares).toMatch(new RegExp(`^${share}=\\d+`, 'm'))
    }
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
    for (const role of ['api', 'worker', 'meter']) expect(compose).toContain(`MASTHEAD_ROLES: ${role}`)
  })
})

describe('proxies', () => {
  test.skipIf(!has('caddy'))('Caddy takes its files', () => {
    for (const file of ['caddy/Caddyfile', 'caddy/Caddyfile-path'])
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
    // A live stream says something every 20 s, and has to outlast that.
    expect(Number(/proxy_read_timeout (\d+)s/.exec(proxy)![1])).toBeGreaterThan(20)
  })
})
