import { notThere, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import type { Container } from '@masthead/contract/devices/agent/application'
import { expect, test } from 'vitest'
import { problemHelp, stateOf } from './container-words.ts'

test('an image that has no room on the device is not taken for one that the device may not read', () => {
  const code = 'image_pull_backoff'
  const full = 'writing blob: storing blob to file "/var/tmp/storage1": write /var/tmp/storage1: no space left on device'
  expect(problemHelp({ code, words: full })).toContain('Free space on its disk')
  expect(problemHelp({ code, words: 'manifest unknown' })).toContain('may read the registry')
  expect(problemHelp({ code: 'failed', words: full })).toBe('The engine refused.')
})

test('an image is downloaded by so much, and then unpacked; meanwhile the version before runs', () => {
  const wanted = { name: 'relay', generation: 2, run: 'running', restart_policy: 'always' }
  const of = (reported: Partial<ReportedContainer>) =>
    stateOf({ ...wanted, reported: { ...notThere, name: 'relay', state: 'downloading', ...reported } } as Container)
  expect(of({ percent: 40 }).label).toBe('Downloading, 40 %')
  expect(of({ percent: 100 }).label).toBe('Unpacking')
  const before = { state: 'running', generation: 1 } as const
  expect(of({ ...before, percent: 40 })).toMatchObject({
    label: 'Running',
    note: 'the version before runs meanwhile; 40 % of the new image is there',
  })
  expect(of({ ...before, percent: 100 }).note).toBe('the version before runs meanwhile; the new image is unpacked')
})
