import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { simulatedPorts } from './simulated-ports.ts'
import { Vitals } from './vitals.ts'

const device = { username: 'a', password: 'b', kind: 'agent' as const, name: 'Truck <1>', flaky: false }
const vitals = new Vitals(device, seededRandom(7), 0)
const dial = simulatedPorts({ ...device, containers: () => ['edge', 'relay'], measure: () => vitals.measure(90_000_000) })

async function ask(line: string) {
  const to = dial({ host: '127.0.0.1', port: 80 })
  await once(to, 'connect')
  to.write(`${line} HTTP/1.1\r\nhost: device\r\n\r\n`)
  const answer = await text(to)
  to.end()
  await once(to, 'close')
  return answer
}

test('port 80 answers with the status of the device, and with nothing else', async () => {
  const page = await ask('GET /?again=1')
  expect(page).toMatch(/^HTTP\/1\.1 200 /)
  for (const part of ['Truck &#60;1&#62;', 'Compute Module 4', 'edge, relay', 'This device is simulated']) expect(page).toContain(part)
  expect(await ask('GET /etc/passwd')).toMatch(/^HTTP\/1\.1 404 /)
  // No address at all, as a browser would not ask for it.
  expect(await ask('GET //')).toMatch(/^HTTP\/1\.1 404 /)
  expect(await ask('POST /')).toMatch(/^HTTP\/1\.1 405 /)
})

test('any other port is closed, and no other address is reached', async () => {
  const why = async (host: string, port: number) => ((await once(dial({ host, port }), 'error')) as [Error])[0].message
  expect(await why('127.0.0.1', 22)).toBe('connect ECONNREFUSED 127.0.0.1:22')
  expect(await why('192.168.1.50', 80)).toBe('connect EHOSTUNREACH 192.168.1.50:80')
})

test('a connection that is given up before it is there does not come to life', async () => {
  const to = dial({ host: '127.0.0.1', port: 80 })
  to.once('connect', () => expect.fail('it connected'))
  to.destroy()
  await once(to, 'close')
  await new Promise((resolve) => setImmediate(resolve))
})
