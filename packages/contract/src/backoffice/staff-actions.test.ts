import { expect, test } from 'vitest'
import { tariffAssigned, tariffEnded } from '../billing/events.ts'
import { sentenceOf } from '../kernel/event.ts'
import { networkRated, networksImported, tariffVersionAdded } from './staff-actions.ts'

const day = '2026-12-27'

test.each([
  [tariffVersionAdded, { tariff_name: 'Eu', number: 2, effective_from: day }, 'Planned version 2 of the price list Eu from 27 Dec 2026 on'],
  [networkRated, { mccmnc: '262-01', name: 'Telekom', effective_from: day }, 'Set the rate of Telekom (262-01) from 27 Dec 2026'],
  [networksImported, { added: 1, changed: 2, effective_from: day }, 'Imported networks: 1 new, 2 changed, rates from 27 Dec 2026'],
  [
    tariffAssigned,
    { tariff_id: 'trf_1', tariff_name: day, from_day: day, reason: day },
    'Gave the account the price list 2026-12-27 from 27 Dec 2026 on: 2026-12-27',
  ],
  [tariffEnded, { from_day: day, reason: 'It left' }, 'Took the account off its price list from 27 Dec 2026 on: It left'],
])('a day is written as on the screens, a name as it is: %o', (kind, detail, sentence) =>
  expect(sentenceOf(kind as never, kind.name, detail)).toBe(sentence)
)
