import { expect, test } from 'vitest'
import { minuteOfTime, timeOfMinute, windowWords } from './window-words.ts'

const night = { from_minute: 1320, to_minute: 240, timezone: 'America/New_York' }
test.each([
  [[0, 1, 2, 3, 4, 5, 6], 'Every day, 22:00 to 04:00, America/New York'],
  [[5, 1, 2, 3, 4], 'Mon to Fri, 22:00 to 04:00, America/New York'],
  [[6, 0], 'Sat, Sun, 22:00 to 04:00, America/New York'],
  [[1, 3, 0], 'Mon, Wed, Sun, 22:00 to 04:00, America/New York'],
])('the days %j are shown as "%s"', (days, words) => expect(windowWords({ days, ...night })).toBe(words))

test.each([
  ['22:05', 1325],
  ['0:00', 0],
  ['23:59', 1439],
  ['24:00', Number.NaN],
  ['7', Number.NaN],
  ['07:60', Number.NaN],
])('%s is minute %d', (text, minute) => expect(minuteOfTime(text)).toBe(minute))
test('a minute is shown as a time', () => expect([0, 65, 1439].map(timeOfMinute)).toEqual(['00:00', '01:05', '23:59']))
