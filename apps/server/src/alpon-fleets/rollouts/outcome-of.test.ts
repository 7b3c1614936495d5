import { expect, test } from 'vitest'
import type { Application } from '@masthead/contract/devices/agent/application'
import type { ReportedContainer } from '@masthead/contract/devices/agent/container'
import { stepOf } from './outcome-of.ts'

const container = (name: string, generation: number, reported: Partial<ReportedContainer>) =>
  ({ name, generation, run: 'running', image: `acme/${name}:1`, restart_policy: 'always', reported }) as Application['items'][number]

const at = (items: Application['items'], reported_revision = 7) => stepOf({ device: { reported_revision }, items } as Application, 7)

test('what a device does in its try, by what it says of its containers', () => {
  const runs = container('relay', 7, { generation: 7, state: 'running', health: null })
  expect(stepOf(undefined, 7)).toEqual({ name: 'asked', percent: null })
  expect(at([runs], 6)).toEqual({ name: 'asked', percent: null })
  const [slow, fast, unpacking, unsaid] = [20, 60, 100, null].map((percent) => container('c', 7, { state: 'downloading', percent }))
  expect(at([runs, fast!, slow!])).toEqual({ name: 'downloading', percent: 20 })
  expect(at([runs, unsaid!])).toEqual({ name: 'downloading', percent: null })
  expect(at([runs, unpacking!])).toEqual({ name: 'installing', percent: null })
  expect(at([runs, container('c', 7, { generation: 6, state: 'running', health: null })])).toEqual({ name: 'installing', percent: null })
  expect(at([runs])).toEqual({ name: 'watched', percent: null })
})
