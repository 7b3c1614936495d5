import { createServer } from 'node:net'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { loadConfig } from '../kernel/config.ts'
import { createMetricsServer } from './metrics-server.ts'
import { chooseMetricsPort } from '../ports.ts'

const ready = { parts: () => ({ meter: 'The meter is not up' }) }
const token = 'a token of the operator'
const bearer = (given: string) => ({ authorization: `Bearer ${given}` })

test('figures and health are at an address of their own, by number and to nobody by a name', async () => {
  await using house = await openHouse()
  const server = await createMetricsServer(house.app, ready)
  const ask = (url: string, host = '127.0.0.1:9464') => server.inject({ url, headers: { host } })
  expect((await ask('/metrics')).body).toContain('# TYPE masthead_http_request_seconds histogram')
  expect((await ask('/healthz')).json()).toEqual({ ok: true })
  const health = await ask('/readyz')
  expect(health.statusCode).toBe(503)
  expect(health.json()).toMatchObject({ words: ['The meter is not up'] })
  // A page elsewhere may have its own name lead here.
  expect((await ask('/metrics', 'evil.test')).statusCode).toBe(421)
  expect((await ask('/v1/auth/setup')).statusCode).toBe(404)
  const there = await house.server.inject('/metrics')
  expect(there.statusCode).toBe(404)
  expect(there.json()).toMatchObject({ detail: expect.stringContaining('MASTHEAD_METRICS_PORT') as string })
})

test('with a token they are for who has it, by any name, and at the console’s address too', async () => {
  await using house = await openHouse({ config: { metrics: { host: '0.0.0.0', port: 0, chosen: true, token } } })
  const own = await createMetricsServer(house.app, ready)
  for (const server of [own, house.server]) {
    const ask = (headers: Record<string, string>) => server.inject({ url: '/metrics', headers })
    expect((await ask({})).statusCode).toBe(403)
    expect((await ask(bearer(`${token}s`))).statusCode).toBe(403)
    expect((await ask({ authorization: token })).statusCode).toBe(403)
    expect((await ask(bearer(token))).body).toContain('# TYPE masthead_jobs_total counter')
  }
  expect((await own.inject({ url: '/metrics', headers: { host: 'masthead', ...bearer(token) } })).statusCode).toBe(200)
})

test('without a token the address is one of this machine alone', () => {
  const load = (env: Record<string, string>) => loadConfig(env).metrics
  expect(load({})).toEqual({ host: '127.0.0.1', port: 9464, chosen: false, token: undefined })
  expect(() => load({ MASTHEAD_METRICS_HOST: '0.0.0.0' })).toThrow('unless MASTHEAD_METRICS_TOKEN is set')
  expect(() => load({ MASTHEAD_METRICS_TOKEN: 'short' })).toThrow('MASTHEAD_METRICS_TOKEN must be at least 16 letters')
  expect(load({ MASTHEAD_METRICS_HOST: '0.0.0.0', MASTHEAD_METRICS_TOKEN: token }).host).toBe('0.0.0.0')
})

test('a port that somebody chose has to be free; the usual one may be taken by another Masthead', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const metrics = { host: '127.0.0.1', port, token: undefined }
  expect(await chooseMetricsPort({ metrics: { ...metrics, chosen: false } })).toEqual({
    why: `Port ${port} is taken by another program, so this process shows no metrics. Set MASTHEAD_METRICS_PORT to another port`,
  })
  await expect(chooseMetricsPort({ metrics: { ...metrics, chosen: true } })).rejects.toThrow('Set MASTHEAD_METRICS_PORT to another port.')
  other.close()
  await expect(chooseMetricsPort({ metrics: { ...metrics, host: '192.0.2.1', chosen: false } })).rejects.toThrow(
    'MASTHEAD_METRICS_HOST is 192.0.2.1'
  )
})
