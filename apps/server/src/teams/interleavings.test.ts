import { expect, test } from 'vitest'
import { playInterleaving } from './test-interleaving.ts'
import { openHouse } from '@masthead/testkit/house'

/** npm run nightly plays more; a failure names the seed to play alone. */
const histories = Number(process.env.MASTHEAD_TEAM_HISTORIES ?? 80)
const only = process.env.MASTHEAD_TEAM_SEED

test(`${histories} random interleavings of invite, approve, switch, update, remove: nobody ever sees more than their rights at that moment`, async () => {
  await using house = await openHouse({
    config: { limits: { signInPerAddress: 1e6, failuresPerEmail: 1e6, registrationsPerAddress: 1e6 } },
  })
  const seeds = only ? [Number(only)] : Array.from({ length: histories }, (_, i) => 20_261_121 + i)
  const played = { steps: 0, seen: 0, refused: 0 }
  for (const seed of seeds) {
    const outcome = await playInterleaving(house, seed)
    expect(outcome.wrong, `MASTHEAD_TEAM_SEED=${seed}\n${outcome.story.join('\n')}`).toEqual([])
    for (const key of ['steps', 'seen', 'refused'] as const) played[key] += outcome[key]
  }
  // A model that never saw anything would find nothing wrong either.
  expect(played.seen).toBeGreaterThan(seeds.length)
  expect(played.refused).toBeGreaterThan(seeds.length)
}, 3_600_000)
