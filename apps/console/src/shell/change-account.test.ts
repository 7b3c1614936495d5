import { expect, test, vi } from 'vitest'

vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }))
const { teamsOf } = await import('./change-account.ts')

const user = {
  email: 'me@x.test',
  team_name: 'Zebra',
  acting_as: null,
  member_of: [
    { email: 'b@x.test', team_name: 'Beta' },
    { email: 'a@x.test', team_name: 'alpha' },
    { email: 'c@x.test', team_name: 'Beta' },
  ],
}
const named = (teams: ReturnType<typeof teamsOf>) => teams.map((team) => `${team.current ? '*' : ''}${team.team_name} ${team.email}`)

test('one’s own account comes first, then teams by name; the current one is marked', () => {
  expect(named(teamsOf(user))).toEqual(['*Zebra me@x.test', 'alpha a@x.test', 'Beta b@x.test', 'Beta c@x.test'])
  expect(named(teamsOf({ ...user, acting_as: 'c@x.test' }))).toEqual([
    'Zebra me@x.test',
    'alpha a@x.test',
    'Beta b@x.test',
    '*Beta c@x.test',
  ])
})
