import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { ownPath, screenAddress } from './console-address.ts'
import { mailText } from '../mail/mail.ts'

const consoleDir = mkdtempSync(join(tmpdir(), 'masthead-console-'))
afterAll(() => rmSync(consoleDir, { recursive: true }))
const built = (head: string) => writeFileSync(join(consoleDir, 'index.html'), `<!doctype html><head>${head}</head>`)

test('a screen is led to as the console was built: by hash unless it says otherwise', () => {
  const config = { ...loadConfig({ MASTHEAD_PUBLIC_URL: 'https://console.test' }), consoleDir }
  expect(screenAddress(config, '/assets')).toBe('/#/assets')
  built('')
  expect(screenAddress(config, '/assets')).toBe('/#/assets')
  expect(mailText('See {console}/profile', config)).toBe('See https://console.test/#/profile')
  built('<meta name="masthead-router" content="history">')
  expect(screenAddress(config, '/assets')).toBe('/assets')
  expect(mailText('See {console}/profile', config)).toBe('See https://console.test/profile')
})

test.each([
  ['/assets?type=core', '/assets?type=core'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['https://evil.test', '/'],
  ['/\t/evil.test', '/'],
  ['assets', '/'],
  [['/a', '/b'], '/'],
  [undefined, '/'],
  [`/${'x'.repeat(2001)}`, '/'],
])('%j leads to %s', (wanted, path) => {
  expect(ownPath(wanted)).toBe(path)
})
