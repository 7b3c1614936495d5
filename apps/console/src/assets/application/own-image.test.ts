import { expect, test } from 'vitest'
import { fits, ownImage, typedImage, withoutTag } from './own-image.ts'

const digest = `sha256:${'a'.repeat(64)}`

test('an image of the registry is read, whatever names it; one from elsewhere is none', () => {
  const host = 'localhost:8080'
  expect(ownImage(`${host}/acme/relay:2.4`, host)).toEqual({ repository: 'acme/relay', tag: '2.4', digest: null })
  expect(ownImage(`${host}/acme/sensors/door`, host)).toEqual({ repository: 'acme/sensors/door', tag: 'latest', digest: null })
  expect(ownImage(`${host}/acme/relay:2.4@${digest}`, host)).toEqual({ repository: 'acme/relay', tag: '2.4', digest })
  const longer = `sha512:${'b'.repeat(128)}`
  expect(ownImage(`${host}/acme/relay@${longer}`, host)).toEqual({ repository: 'acme/relay', tag: 'latest', digest: longer })
  expect(withoutTag(`${host}/acme/relay@${longer}`)).toBe(`${host}/acme/relay`)
  for (const other of [
    'alpine',
    'localhost/acme/relay',
    `${host}/acme`,
    `${host}/acme/relay:`,
    `${host}/acme/relay@sha512:${'b'.repeat(64)}`,
    `elsewhere/${host}/acme/relay`,
  ])
    expect(ownImage(other, host), other).toBeNull()
  expect([withoutTag(`${host}/acme/relay:2.4@${digest}`), withoutTag(`${host}/acme/relay`)]).toEqual([
    `${host}/acme/relay`,
    `${host}/acme/relay`,
  ])
})

test('while an image is typed, those like it are looked for', () => {
  const host = 'localhost:8080'
  for (const [typed, repository, tag] of [
    ['', '', ''],
    ['localhost:80', '', ''],
    [host, '', ''],
    [`${host}/acme/re`, 'acme/re', ''],
    ['relay', 'relay', ''],
    [`${host}/acme/relay:`, 'acme/relay', ''],
    [`${host}/acme/relay:2.`, 'acme/relay', '2.'],
    [`${host}/acme/relay:2.4@${digest}`, 'acme/relay', '2.4'],
  ] as const)
    expect(typedImage(typed, host), typed).toEqual({ repository, tag })
})

test('a processor runs what is built for it, and what nobody knows is no reason to warn', () => {
  const linux = (architecture: string) => ({ os: 'linux', architecture })
  expect(fits([linux('amd64')], 'arm64')).toBe(false)
  expect(fits([linux('amd64'), linux('arm64')], 'arm64')).toBe(true)
  expect(fits([linux('arm')], 'arm64')).toBe(true)
  expect(fits([linux('arm64')], 'arm')).toBe(false)
  expect(fits([{ os: 'windows', architecture: 'arm64' }], 'arm64')).toBe(false)
  expect([fits([], 'arm64'), fits([linux('amd64')], null)]).toEqual([true, true])
})
