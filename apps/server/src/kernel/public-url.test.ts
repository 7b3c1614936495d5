import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const baseOf = (MASTHEAD_PUBLIC_URL: string) => loadConfig({ MASTHEAD_PUBLIC_URL }).basePath

test('the console stands at the root of its host, or below a path of any depth', () => {
  expect(loadConfig({}).basePath).toBe('')
  expect(baseOf('https://console.example.test')).toBe('')
  expect(baseOf('https://console.example.test/')).toBe('')
  expect(baseOf('https://example.test/iot')).toBe('/iot')
  expect(baseOf('https://example.test:8443/iot/lines/')).toBe('/iot/lines')
  // Beginning alike is not the same.
  expect(baseOf('https://example.test/v10')).toBe('/v10')
})

test('what no proxy could lead to us is refused in words', () => {
  for (const wrong of [
    'example.test',
    'ftp://example.test',
    'https://u:p@example.test',
    'https://example.test/?a=1',
    'https://example.test/#/a',
  ])
    expect(() => baseOf(wrong), wrong).toThrow('MASTHEAD_PUBLIC_URL must be an address of http: or https:')
  for (const path of ['/v1', '/static/x', '/mqtt', '/metrics', '/a b', '/a%20b', '//x'])
    expect(() => baseOf(`https://example.test${path}`), path).toThrow('whose path does not begin with v1')
})
