import { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { expect, test } from 'vitest'
import type { PlannedDevice } from './device-plan.ts'
import { SimulatedNetwork, type WantedNetwork } from './simulated-network.ts'

const none = { priority: null, apn: null, pin: null }
const now = Date.parse('2026-11-27T12:00:00Z')

test('a simulated device adds a profile to its eSIM and deletes it, each once, and begins no trial for it', () => {
  const network = new SimulatedNetwork({} as PlannedDevice)
  const say = (esim: NonNullable<WantedNetwork>['esim']) =>
    ReportedNetwork.parse(network.report({ generation: 0, ...none, esim }, now).data)
  const add = { generation: 7, do: 'add', name: 'Abroad' }
  say(add)
  const added = say(add)
  const iccid = added.esim!.job!.iccid!
  expect(added).toMatchObject({ change: null, esim: { job: { generation: 7, do: 'add', state: 'done' } } })
  expect(added.esim!.profiles.map((each) => [each.name, each.iccid === iccid, each.enabled])).toEqual([
    [null, false, true],
    [null, false, false],
    ['Abroad', true, false],
  ])
  const deleted = say({ generation: 8, do: 'delete', iccid })
  expect(deleted).toMatchObject({ change: null, esim: { job: { generation: 8, state: 'done' } } })
  expect(deleted.esim!.profiles).toHaveLength(2)
  const inUse = deleted.esim!.profiles.find(({ enabled }) => enabled)!.iccid
  expect(say({ generation: 9, do: 'delete', iccid: inUse }).esim!.job).toMatchObject({ state: 'failed', words: 'The profile is in use' })
})
