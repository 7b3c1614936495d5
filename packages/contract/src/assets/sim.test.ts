import { expect, test } from 'vitest'
import { simActionTo, simCan, simLeadsTo, simStates, type SimAction, type SimState } from './sim.ts'

/** domain.md §3.1, by hand: where each state may go by what people do. */
const allowed: Record<SimState, SimState[]> = {
  inventory: ['ready'],
  ready: ['active', 'inactive', 'terminated'],
  active: ['inactive', 'standby', 'terminated'],
  inactive: ['active', 'standby', 'ready', 'terminated'],
  standby: ['active', 'inactive', 'terminated'],
  terminated: [],
}

test('every transition that the field allows is allowed, and no other', () => {
  for (const state of Object.keys(simStates) as SimState[]) {
    const ways = (Object.keys(simLeadsTo) as SimAction[]).filter((action) => simCan(action, { state, activated_at: null }))
    expect(ways.map((action) => simLeadsTo[action]).toSorted(), state).toEqual(allowed[state].toSorted())
  }
})

test('who was active once is never ready again, and nothing leads back to stock', () => {
  expect(simCan('ready', { state: 'inactive', activated_at: '2026-11-01T00:00:00.000Z' })).toBe(false)
  expect(simActionTo('inventory')).toBeUndefined()
  expect(simActionTo('standby')).toBe('standby')
})
