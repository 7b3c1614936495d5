import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { doctorNeeds } from '../open-app.ts'
import { supportBundle, withoutPeople } from './support-bundle.ts'

const dir = mkdtempSync(join(tmpdir(), 'masthead-bundle-'))
afterAll(() => rmSync(dir, { recursive: true }))

const canaries = {
  password: 'canary-smtp-password',
  database: 'canary-database-password',
  key: Buffer.alloc(32, 7).toString('base64'),
  client: 'canary-client-secret',
  radius: 'canary-radius',
  email: 'canary@example.test',
  ip: '203.0.113.77',
  ip6: '2001:db8::77',
  imsi: '901280000000077',
  metrics: 'canary-metrics-token',
  token: 'canaryToken4bcdefghijklmnopqrstuvwxyz',
}
const env = {
  DATABASE_URL: `postgres://masthead:${canaries.database}@127.0.0.1:1/none`,
  SMTP_URL: `smtp://user:${canaries.password}@127.0.0.1:1`,
  MASTHEAD_SECRET_KEY: canaries.key,
  MASTHEAD_RADIUS_SECRET: canaries.radius,
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'masthead',
  OIDC_CLIENT_SECRET: canaries.client,
  MASTHEAD_MAIL_FROM: `Masthead <${canaries.email}>`,
  MASTHEAD_DATA_DIR: dir,
  MASTHEAD_HTTP_PORT: '0',
  MASTHEAD_RADIUS_AUTH_PORT: '0',
  MASTHEAD_RADIUS_ACCT_PORT: '0',
  MASTHEAD_MQTT_PORT: '0',
  MASTHEAD_MQTTS_PORT: '0',
  MASTHEAD_TUNNEL_PORTS: '0-0',
  MASTHEAD_METRICS_TOKEN: canaries.metrics,
  MASTHEAD_LOG_LEVEL: 'debug',
  HOME: 'canary-home',
}

test('it has what whoever helps needs, and no secret and nobody', async () => {
  const logFile = join(dir, 'masthead.log')
  const lines = [
    {
      level: 30,
      time: 1,
      operation: 'auth.login',
      status: 400,
      ip: canaries.ip,
      person: 'usr_1',
      code: 'credentials_wrong',
      msg: 'answered',
    },
    {
      level: 40,
      time: 2,
      task: 'mail.deliver',
      payload: { email: canaries.email },
      err: { type: 'Error', message: `550 <${canaries.email}> at ${canaries.ip6}, SIM ${canaries.imsi}` },
      msg: 'a job failed',
    },
  ]
  writeFileSync(
    logFile,
    [...lines.map((line) => JSON.stringify(line)), `not JSON: ${canaries.token} ${canaries.email} ${canaries.ip}`].join('\n')
  )
  const figures = `# TYPE masthead_live_connections gauge\nmasthead_live_connections 3\nother{email="${canaries.email}"} 1\n`
  const running = createServer(({ headers }, response) =>
    response.writeHead(headers.authorization === `Bearer ${canaries.metrics}` ? 200 : 403).end(figures)
  )
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
  const port = String((running.address() as AddressInfo).port)
  const bundleOf = (more: NodeJS.ProcessEnv) =>
    supportBundle({ env: { ...env, MASTHEAD_METRICS_PORT: port, ...more }, ...doctorNeeds, logFile })
  const text = await bundleOf({})
  const locked = JSON.parse(await bundleOf({ MASTHEAD_METRICS_TOKEN: 'the token of another' })) as { metrics: string[] }
  expect(locked.metrics).toEqual(['[address] does not take the token of MASTHEAD_METRICS_TOKEN'])
  running.close()
  for (const canary of Object.values(canaries)) expect(text).not.toContain(canary)
  expect(text).not.toContain('canary')
  const bundle = JSON.parse(text) as {
    settings: Record<string, string>
    doctor: { about: string; state: string }[]
    metrics: string[]
    log: Record<string, unknown>[]
  }
  expect(bundle.settings).toMatchObject({
    MASTHEAD_LOG_LEVEL: 'debug',
    MASTHEAD_METRICS_PORT: port,
    MASTHEAD_METRICS_TOKEN: '(set)',
    MASTHEAD_SECRET_KEY: '(set)',
    SMTP_URL: '(set)',
  })
  expect(bundle.settings).not.toHaveProperty('HOME')
  expect(bundle.doctor.find(({ about }) => about === 'database')).toMatchObject({ state: 'bad' })
  expect(bundle.metrics).toEqual(['masthead_live_connections 3'])
  expect(bundle.log[0]).toEqual({ level: 30, time: 1, msg: 'answered', operation: 'auth.login', status: 400, code: 'credentials_wrong' })
})

test('ordinary words stay', () =>
  expect(withoutPeople('3 jobs wait since 20 minutes, at 12:30')).toBe('3 jobs wait since 20 minutes, at 12:30'))
