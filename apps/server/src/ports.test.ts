import { expect, test } from 'vitest'
import { loadConfig } from './kernel/config.ts'
import { choosePorts, StartError } from './ports.ts'

test.each(['192.0.2.1', 'nowhere.invalid'])(
  'an address of MASTHEAD_HOST that cannot be bound is reported once, and not as a port: %s',
  async (host) => {
    const refused = choosePorts(loadConfig({ MASTHEAD_HOST: host, MASTHEAD_HTTP_PORT: '0' }))
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(new RegExp(`^MASTHEAD_HOST is ${host}, but [^\n]+\\.$`))
  }
)
